/**
 * Fits names into frames. Widths come from a table of character widths, because measuring thousands of
 * texts per drawing is what makes flame graphs slow.
 */
export class Labels {
  private readonly ascii = new Float32Array(128);
  private readonly others = new Map<string, number>();
  private ellipsis = 0;

  constructor(
    private readonly context: CanvasRenderingContext2D,
    readonly font: string,
  ) {
    this.measureAll();
  }

  /** Fonts may arrive after the first drawing; then the table is filled again. */
  measureAll(): void {
    this.prepare();
    for (let c = 32; c < 127; c++) this.ascii[c] = this.context.measureText(String.fromCharCode(c)).width;
    this.others.clear();
    this.ellipsis = this.widthOf('…', 0);
  }

  prepare(): void {
    this.context.font = this.font;
    this.context.fontKerning = 'none';
    this.context.direction = 'ltr';
    this.context.textBaseline = 'middle';
  }

  /** The longest of the candidates that fits, or the start of the last one; '' when not even that fits. */
  fit(room: number, ...candidates: string[]): string {
    for (const text of candidates) if (this.fits(text, room)) return text;
    return this.start(candidates[candidates.length - 1], room);
  }

  private fits(text: string, room: number): boolean {
    let width = 0;
    for (let i = 0; i < text.length && width <= room; i++) width += this.widthOf(text, i);
    return width <= room;
  }

  private start(text: string, room: number): string {
    let width = this.ellipsis;
    let end = 0;
    while (end < text.length) {
      width += this.widthOf(text, end);
      if (width > room) break;
      end++;
    }
    // Half a surrogate pair would be drawn as a replacement character.
    if (end > 0 && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--;
    return end < 2 ? '' : `${text.slice(0, end)}…`;
  }

  private widthOf(text: string, at: number): number {
    const code = text.charCodeAt(at);
    if (code < 128) return this.ascii[code];
    if ((code & 0xfc00) === 0xdc00) return 0;
    const character = String.fromCodePoint(text.codePointAt(at)!);
    let width = this.others.get(character);
    if (width === undefined) {
      width = this.context.measureText(character).width;
      this.others.set(character, width);
    }
    return width;
  }
}
