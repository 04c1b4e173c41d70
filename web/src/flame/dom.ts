type Attributes = Record<string, string | boolean | undefined | ((event: never) => void)>;

/** Makes an element. Text only ever enters as a text node, whatever it contains. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value as (event: Event) => void);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** A select with a visible label. */
export function choice(
  label: string,
  options: readonly (readonly [value: string, text: string])[],
  onChange: (value: string) => void,
): { element: HTMLLabelElement; select: HTMLSelectElement } {
  const select = el('select', { change: () => onChange(select.value) });
  for (const [value, text] of options) select.append(el('option', { value }, text));
  return { element: el('label', { class: 'hl-choice' }, el('span', {}, label), select), select };
}

/** Long names cost layout time and help nobody: the middle of what people see is their start. */
export function clipped(name: string, limit: number): string {
  return name.length <= limit ? name : `${name.slice(0, limit)}… (${name.length} characters)`;
}
