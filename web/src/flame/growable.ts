/**
 * Typed arrays that grow: trees are built level by level, before their size is known. Two classes without
 * a common base, because a push shared by both kinds of array is several times slower.
 */
export class Ints {
  data = new Int32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.data.length) this.extend(this.length + 1, this.length);
    this.data[this.length++] = value;
  }

  /** Makes room for this many values, which are then set out of order. */
  extend(capacity: number, length = capacity): void {
    if (capacity > this.data.length) {
      const larger = new Int32Array(Math.max(capacity, this.data.length * 2));
      larger.set(this.data);
      this.data = larger;
    }
    this.length = length;
  }

  trimmed(): Int32Array {
    return this.data.slice(0, this.length);
  }
}

export class Doubles {
  data = new Float64Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.data.length) {
      const larger = new Float64Array(this.data.length * 2);
      larger.set(this.data);
      this.data = larger;
    }
    this.data[this.length++] = value;
  }

  trimmed(): Float64Array {
    return this.data.slice(0, this.length);
  }
}
