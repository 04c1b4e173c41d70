/** Where the state is kept between steps, so that "back" works and a link restores it. */
export interface History {
  readonly current: string;
  readonly canGoBack: boolean;
  push(text: string): void;
  replace(text: string): void;
  back(): void;
  /** Calls back when a step back, or an edited address, brings another text. */
  listen(changed: (text: string) => void): void;
  destroy(): void;
}

/** In the address, where the browser's own back and forward walk through the steps too. */
export class AddressHistory implements History {
  private onChange: () => void = () => undefined;
  private ended = false;

  get current(): string {
    return location.hash.slice(1);
  }

  get canGoBack(): boolean {
    return this.depth > 0;
  }

  private get depth(): number {
    return (history.state as { heatline?: number } | null)?.heatline ?? 0;
  }

  push(text: string): void {
    if (text !== this.current) this.write('pushState', text, this.depth + 1);
  }

  replace(text: string): void {
    if (text !== this.current) this.write('replaceState', text, this.depth);
  }

  back(): void {
    if (this.canGoBack) history.back();
  }

  listen(changed: (text: string) => void): void {
    this.onChange = () => changed(this.current);
    addEventListener('popstate', this.onChange);
  }

  destroy(): void {
    this.ended = true;
    removeEventListener('popstate', this.onChange);
  }

  private write(how: 'pushState' | 'replaceState', text: string, depth: number): void {
    // What was still being typed when the graph went is not said of what is shown now.
    if (this.ended) return;
    try {
      history[how]({ heatline: depth }, '', text === '' ? location.pathname + location.search : `#${text}`);
    } catch {
      // Browsers limit how often an address may change, and some documents have none: the graph works without.
    }
  }
}

/** A state that whoever mounts a graph keeps for it. */
export interface Kept {
  /** What it begins with. */
  readonly text: string;
  changed(text: string): void;
}

/** For a graph that is one of several things on a page, whose address is not its own. */
export class OwnHistory implements History {
  private readonly steps: string[];
  private onChange: (text: string) => void = () => undefined;

  constructor(private readonly kept: Kept) {
    this.steps = [kept.text];
  }

  get current(): string {
    return this.steps[this.steps.length - 1];
  }

  get canGoBack(): boolean {
    return this.steps.length > 1;
  }

  push(text: string): void {
    if (text === this.current) return;
    this.steps.push(text);
    this.kept.changed(text);
  }

  replace(text: string): void {
    if (text === this.current) return;
    this.steps[this.steps.length - 1] = text;
    this.kept.changed(text);
  }

  back(): void {
    if (!this.canGoBack) return;
    this.steps.pop();
    this.kept.changed(this.current);
    this.onChange(this.current);
  }

  listen(changed: (text: string) => void): void {
    this.onChange = changed;
  }

  destroy(): void {
    this.onChange = () => undefined;
  }
}
