/**
 * Puts elements into a place, in this order, in place of all that was there. Those that stay are moved only
 * if they must: what is moved loses the focus, and what is marked in it.
 */
export function arrange(place: HTMLElement, wanted: readonly Element[]): void {
  const focused = document.activeElement;
  const staying = new Set(wanted);
  for (const child of [...place.children]) if (!staying.has(child)) child.remove();
  let next = place.firstElementChild;
  for (const each of wanted) {
    if (each === next) next = each.nextElementSibling;
    else place.insertBefore(each, next);
  }
  if (focused instanceof HTMLElement && focused !== document.activeElement && place.contains(focused))
    focused.focus({ preventScroll: true });
}

/** Makes an element look like another one with as many children; those that look the same already stay. */
export function become(known: HTMLElement, now: HTMLElement): void {
  known.className = now.className;
  [...now.children].forEach((child, i) => {
    if (!known.children[i].isEqualNode(child)) known.children[i].replaceWith(child);
  });
}

/** Says something, unless that stands there already: what is written again is read out again. */
export function say(place: HTMLElement, text: string): void {
  if (place.textContent !== text) place.textContent = text;
}
