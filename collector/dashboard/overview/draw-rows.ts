import type { OverviewRow } from '../model/overview-row.ts';
import { idle } from '../render/idle.ts';

/** As in the style sheet, px. */
const ROW_HEIGHT = 37;
/** Drawn at least in one go once the page is idle. */
const BATCH = 12;
/** Left of an idle period for what the browser makes of the rows, ms. */
const RESERVE = 6;

export interface RowsToDraw {
  readonly rows: readonly OverviewRow[];
  readonly beginWith: number;
  readonly body: HTMLTableSectionElement;
  /** As high as the rows that are still to come. */
  readonly toCome: HTMLElement;
  /** The row's own line first; `redraw` puts new nodes in the place of these. */
  nodesOf(row: OverviewRow, redraw: () => void): readonly HTMLElement[];
  /** Writes what is known anew into a line that is drawn. */
  refresh(line: HTMLElement, row: OverviewRow): void;
  /** Told how many rows are drawn. */
  progress(count: number): void;
}

export interface DrawnRows {
  /** Resolves when every row is there, or nobody waits for the rest any more. */
  readonly complete: Promise<void>;
  /** The same rows in the same order, known better. */
  update(rows: readonly OverviewRow[]): void;
  stop(): void;
}

/**
 * Draws the first rows at once and all others in idle time: of hundreds a screen shows twenty, and the browser takes
 * most of a second to lay them all out. Whoever prints gets them all.
 */
export function drawRows({ rows: all, beginWith, body, toCome, nodesOf, refresh, progress }: RowsToDraw): DrawnRows {
  let rows = all;
  let stopped = false;
  const nodes: (readonly HTMLElement[])[] = [];

  function nodesAt(place: number): readonly HTMLElement[] {
    return nodesOf(rows[place] as OverviewRow, () => redraw(place));
  }

  function redraw(place: number): void {
    const [line, ...details] = nodes[place] ?? [];
    if (line === undefined) return;
    const focus = focusIn(line);
    for (const detail of details) detail.remove();
    const made = nodesAt(place);
    nodes[place] = made;
    line.replaceWith(...made);
    if (focus !== undefined)
      made[0]?.querySelector<HTMLElement>(`[data-focus^="${focus} "]`)?.focus({ preventScroll: true });
  }

  function draw(count: number): void {
    const end = Math.min(rows.length, nodes.length + count);
    while (nodes.length < end) nodes.push(nodesAt(nodes.length));
  }

  /** Appends what was drawn since. */
  function show(from: number): void {
    body.append(...nodes.slice(from).flat());
    const left = rows.length - nodes.length;
    toCome.hidden = left === 0;
    toCome.style.setProperty('--rows-to-come', String(left));
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
      // Of what only stands in for an answer to come nobody sees more.
      if (stopped || !body.isConnected || body.closest('.stand-in') !== null) break;
      const from = nodes.length;
      do draw(BATCH);
      while (nodes.length < rows.length && left() > RESERVE);
      show(from);
    }
    window.removeEventListener('beforeprint', drawAll);
  }

  draw(beginWith);
  show(0);
  return {
    complete: drawRest(),
    update(next) {
      rows = next;
      nodes.forEach(([line], place) => {
        if (line !== undefined) refresh(line, rows[place] as OverviewRow);
      });
    },
    stop() {
      stopped = true;
    },
  };
}

/** What the button or link with the focus does, without the row's name; undefined where the focus is elsewhere. */
function focusIn(line: HTMLElement): string | undefined {
  const active = document.activeElement;
  return active instanceof HTMLElement && line.contains(active) ? active.dataset.focus?.split(' ')[0] : undefined;
}

/** Enough for the screen, and for whoever reads further down in the table that these rows replace. */
export function rowsToBeginWith(rows: readonly OverviewRow[]): number {
  const focus = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.focus : undefined;
  const focused = focus === undefined ? -1 : rows.findIndex(({ name }) => focus.endsWith(` ${name}`));
  return Math.max(Math.ceil(window.innerHeight / ROW_HEIGHT), seenBefore(), focused + 1);
}

/** How many rows of the table on the page have been in sight or are above. */
function seenBefore(): number {
  const box = document.querySelector('[data-scroll="overview"]');
  if (box === null) return 0;
  const end = Math.min(window.innerHeight, box.getBoundingClientRect().bottom);
  const lines = box.querySelectorAll('tbody > .row');
  // Halving: each look at a place is one more measured.
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
