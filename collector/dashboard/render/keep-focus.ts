/**
 * Replaces the content of `root` and leaves the reader where they were: the element with the same `data-focus` has
 * the focus again, boxes are scrolled as they were, and what was unfolded stays so.
 */
export function replaceKeepingFocus(root: HTMLElement, ...children: readonly Node[]): void {
  const active = document.activeElement;
  const focused = active instanceof HTMLElement && root.contains(active) ? active.dataset.focus : undefined;
  const unfolded = new Set(
    [...root.querySelectorAll<HTMLElement>('details[open][data-keep] > summary')].map(({ dataset }) => dataset.focus),
  );
  const scrolled = new Map(
    [...root.querySelectorAll<HTMLElement>('[data-scroll]')].map(
      ({ dataset, scrollLeft, scrollTop }) => [dataset.scroll, { scrollLeft, scrollTop }] as const,
    ),
  );
  root.replaceChildren(...children);
  for (const summary of root.querySelectorAll<HTMLElement>('details[data-keep] > summary')) {
    if (unfolded.has(summary.dataset.focus)) summary.parentElement?.setAttribute('open', '');
  }
  for (const box of root.querySelectorAll<HTMLElement>('[data-scroll]')) {
    Object.assign(box, scrolled.get(box.dataset.scroll));
  }
  if (focused === undefined) return;
  const again = [...root.querySelectorAll<HTMLElement>('[data-focus]')].find(
    ({ dataset }) => dataset.focus === focused,
  );
  again?.focus({ preventScroll: true });
}
