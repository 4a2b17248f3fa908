/** An answer that comes sooner changes the page without a flicker, ms. */
const DIMMED_AFTER = 250;

/**
 * A filter does not empty the page: what was there stays, below the panel that reads anew, until that one has something
 * to show. It is not moved, or the browser would lay out all of it again for nothing.
 *
 * @returns false where there is nothing to keep: `next` has to be shown by itself
 */
export function keepUntilRead(main: HTMLElement, next: Node | undefined): boolean {
  const before =
    main.querySelector<HTMLElement>(':scope > .stand-in') ??
    main.querySelector<HTMLElement>(':scope > .reading-view:not([data-state="failed"])');
  if (before === null || !(next instanceof HTMLElement) || !isLoading(next) || isLoading(before)) return false;
  for (const other of [...main.children]) if (other !== before) other.remove();
  if (!before.classList.contains('stand-in')) stepAside(before);
  next.classList.add('waits');
  before.before(next);
  return true;
}

/** What stands there for a panel until it has content of its own. */
export function standInOf(panel: HTMLElement): HTMLElement | null {
  const next = panel.nextElementSibling;
  return next instanceof HTMLElement && next.classList.contains('stand-in') ? next : null;
}

/** It is shown: what stood there for it goes. */
export function endStandIn(panel: HTMLElement): void {
  panel.classList.remove('waits');
  standInOf(panel)?.remove();
}

function isLoading(panel: HTMLElement): boolean {
  return panel.querySelector(':scope > .panel-content > .loading') !== null;
}

/** It is no panel any more; after a while it is dimmed and out of reach. */
function stepAside(before: HTMLElement): void {
  before.classList.add('stand-in');
  before.removeAttribute('data-panel');
  before.removeAttribute('data-state');
  before.removeAttribute('aria-busy');
  before.querySelector(':scope > .panel-strip')?.replaceChildren();
  setTimeout(() => {
    before.inert = true;
  }, DIMMED_AFTER);
}
