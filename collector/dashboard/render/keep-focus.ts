/**
 * Replaces the content of `root` and puts the focus back on the element with the same `data-focus`, so that a
 * keyboard user who sorts or filters stays where they were.
 */
export function replaceKeepingFocus(root: HTMLElement, ...children: readonly Node[]): void {
  const active = document.activeElement;
  const key = active instanceof HTMLElement && root.contains(active) ? (active.dataset.focus ?? null) : null;
  const scrolled = [...root.querySelectorAll('[data-scroll]')].map(
    (box) => [box.getAttribute('data-scroll'), box.scrollLeft] as const,
  );
  root.replaceChildren(...children);
  for (const [name, left] of scrolled) {
    const box = root.querySelector(`[data-scroll="${name}"]`);
    if (box !== null) box.scrollLeft = left;
  }
  if (key === null) return;
  for (const candidate of root.querySelectorAll<HTMLElement>('[data-focus]')) {
    if (candidate.dataset.focus === key) {
      candidate.focus({ preventScroll: true });
      return;
    }
  }
}
