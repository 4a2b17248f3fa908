/**
 * Replaces the content of `root` and restores the focus (to the element with the same `data-focus`), scroll positions and
 * open details.
 */
export function replaceKeepingFocus(root: HTMLElement, ...children: readonly Node[]): void {
  const restore = rememberPlace(root);
  root.replaceChildren(...children);
  restore(root);
}

/** Saves focus, scroll positions and open details within `from`; the result restores them within its replacement. */
export function rememberPlace(from: HTMLElement): (to: HTMLElement) => void {
  const active = document.activeElement;
  const focused = active instanceof HTMLElement && from.contains(active) ? active.dataset.focus : undefined;
  const unfolded = new Set(
    [...from.querySelectorAll<HTMLElement>('details[open][data-keep] > summary')].map(({ dataset }) => dataset.focus),
  );
  const scrolled = new Map(
    [...from.querySelectorAll<HTMLElement>('[data-scroll]')].flatMap(({ dataset, scrollLeft, scrollTop }) =>
      scrollLeft === 0 && scrollTop === 0 ? [] : [[dataset.scroll, { scrollLeft, scrollTop }] as const],
    ),
  );
  return (to) => {
    for (const summary of to.querySelectorAll<HTMLElement>('details[data-keep] > summary')) {
      if (unfolded.has(summary.dataset.focus)) summary.parentElement?.setAttribute('open', '');
    }
    // Setting a scroll position forces a layout: skip it if nothing was scrolled.
    if (scrolled.size > 0) {
      for (const box of to.querySelectorAll<HTMLElement>('[data-scroll]')) {
        Object.assign(box, scrolled.get(box.dataset.scroll));
      }
    }
    if (focused === undefined) return;
    const again = [...to.querySelectorAll<HTMLElement>('[data-focus]')].find(
      ({ dataset }) => dataset.focus === focused,
    );
    again?.focus({ preventScroll: true });
  };
}
