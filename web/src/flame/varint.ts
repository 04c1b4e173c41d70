/**
 * Reads unsigned LEB128 numbers. Values up to 2^63-1 come back as the nearest Number: exact up to 2^53,
 * which is 104 days in nanoseconds.
 */
export class VarintReader {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  next(): number {
    const bytes = this.bytes;
    let byte = bytes[this.at++];
    if (byte < 128) return byte;
    let value = byte & 127;
    let factor = 128;
    do {
      byte = bytes[this.at++];
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte >= 128);
    return value;
  }

  /** A count of numbers still to come: each takes at least a byte, so more than the rest cannot be true. */
  count(what: string): number {
    const count = this.next();
    if (count > this.bytes.length - this.at) {
      throw new Error(`The flame graph data is cut short: it announces ${count} ${what}.`);
    }
    return count;
  }

  /** Reads past the end yield zeros, so that loops need no check; this is where the damage is noticed. */
  expectInside(what: string): void {
    if (this.at > this.bytes.length) {
      throw new Error(`The flame graph data ends within its ${what}.`);
    }
  }
}
