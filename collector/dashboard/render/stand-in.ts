/** A faster answer replaces the page without flicker, ms. */
const DIMMED_AFTER = 250;

/**
 * Keeps the old content on the page as a stand-in below the panel that is loading, until that has content. The old content
 * is not moved in the document, because that would lay it out again.
 *
 * @returns false if there is nothing to keep, and `next` must be shown on its own
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

/** The panel's stand-in, if any. */
export function standInOf(panel: HTMLElement): HTMLElement | null {
  const next = panel.nextElementSibling;
  return next instanceof HTMLElement && next.classList.contains('stand-in') ? next : null;
}

/** Removes the panel's stand-in. */
export function endStandIn(panel: HTMLElement): void {
  panel.classList.remove('waits');
  standInOf(panel)?.remove();
}

function isLoading(panel: HTMLElement): boolean {
  return panel.querySelector(':scope > .panel-content > .loading') !== null;
}

/** Turns the old panel into a stand-in, which is dimmed and inert after a while. */
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
