import { idle } from '../components/idle.ts';
import type { OverviewRow } from '../model/overview-row.ts';

/** Must match the style sheet, px. */
const ROW_HEIGHT = 37;
/** Minimum number of rows per idle period. */
const BATCH = 12;
/** Part of an idle period reserved for the browser's layout of the rows, ms. */
const RESERVE = 6;

export interface RowsToDraw {
  readonly rows: readonly OverviewRow[];
  readonly firstCount: number;
  readonly body: HTMLTableSectionElement;
  /** A spacer as high as the rows that are not drawn yet. */
  readonly spacer: HTMLElement;
  /** The row's line first, then its detail; `redraw` replaces these nodes. */
  nodesOf(row: OverviewRow, redraw: () => void): readonly HTMLElement[];
  /** Updates a drawn line. */
  refresh(line: HTMLElement, row: OverviewRow): void;
  /** Called with the number of rows drawn so far. */
  progress(count: number): void;
}

export interface DrawnRows {
  /** Resolves when every row is drawn, or when drawing was stopped. */
  readonly complete: Promise<void>;
  /** The same rows in the same order with newer data. */
  update(rows: readonly OverviewRow[]): void;
  stop(): void;
}

/**
 * Draws the first rows at once and the others in idle time: a screen shows about twenty of hundreds, and the browser takes
 * most of a second to lay them all out. Printing draws all of them first.
 */
export function drawRows({ rows: all, firstCount, body, spacer, nodesOf, refresh, progress }: RowsToDraw): DrawnRows {
  let rows = all;
  let stopped = false;
  const nodes: (readonly HTMLElement[])[] = [];

  function nodesAt(index: number): readonly HTMLElement[] {
    return nodesOf(rows[index] as OverviewRow, () => redraw(index));
  }

  function redraw(index: number): void {
    const [line, ...details] = nodes[index] ?? [];
    if (line === undefined) return;
    const focus = focusIn(line);
    for (const detail of details) detail.remove();
    const made = nodesAt(index);
    nodes[index] = made;
    line.replaceWith(...made);
    if (focus !== undefined)
      made[0]?.querySelector<HTMLElement>(`[data-focus^="${focus} "]`)?.focus({ preventScroll: true });
  }

  function draw(count: number): void {
    const end = Math.min(rows.length, nodes.length + count);
    while (nodes.length < end) nodes.push(nodesAt(nodes.length));
  }

  /** Appends the rows drawn since `from`. */
  function show(from: number): void {
    body.append(...nodes.slice(from).flat());
    const left = rows.length - nodes.length;
    spacer.hidden = left === 0;
    spacer.style.setProperty('--rows-to-come', String(left));
    progress(nodes.length);
  }

  function drawAll(): void {
    const from = nodes.length;
    draw(rows.length);
    show(from);
  }

  async function drawRest(): Promise<void> {
    window.addEventListener('beforeprint', drawAll);
    while (nodes.length < rows.length) {
      const left = await idle();
      // A stand-in is about to be replaced.
      if (stopped || !body.isConnected || body.closest('.stand-in') !== null) break;
      const from = nodes.length;
      do draw(BATCH);
      while (nodes.length < rows.length && left() > RESERVE);
      show(from);
    }
    window.removeEventListener('beforeprint', drawAll);
  }

  draw(firstCount);
  show(0);
  return {
    complete: drawRest(),
    update(next) {
      rows = next;
      nodes.forEach(([line], index) => {
        if (line !== undefined) refresh(line, rows[index] as OverviewRow);
      });
    },
    stop() {
      stopped = true;
    },
  };
}

/** The first word of the focused element's `data-focus`, without the row's name; undefined if the focus is elsewhere. */
function focusIn(line: HTMLElement): string | undefined {
  const active = document.activeElement;
  return active instanceof HTMLElement && line.contains(active) ? active.dataset.focus?.split(' ')[0] : undefined;
}

/** Enough rows for the screen, and for the scroll position and focus in the table that they replace. */
export function firstRowCount(rows: readonly OverviewRow[]): number {
  const focus = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.focus : undefined;
  const focused = focus === undefined ? -1 : rows.findIndex(({ name }) => focus.endsWith(` ${name}`));
  return Math.max(Math.ceil(window.innerHeight / ROW_HEIGHT), seenBefore(), focused + 1);
}

/** Number of rows in sight or above in the table on the page. */
function seenBefore(): number {
  const box = document.querySelector('[data-scroll="overview"]');
  if (box === null) return 0;
  const end = Math.min(window.innerHeight, box.getBoundingClientRect().bottom);
  const lines = box.querySelectorAll('tbody > .row');
  // A binary search, because each position is measured.
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const line = lines[middle];
    if (line !== undefined && line.getBoundingClientRect().top < end) low = middle + 1;
    else high = middle;
  }
  return low;
}
