import { type AskedDimension, isFewBrowsers } from '../../../shared/vocabulary/dimensions.ts';
import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import { formatCount } from '../../analysis/text/format.ts';
import { CONNECTION_LABELS, DIMENSION_LABELS, wordFor } from '../../analysis/text/words.ts';
import { button, element } from '../render/element.ts';

export interface FilterPanel {
  /** Shows the values of a dimension below `anchor`. */
  open(request: FilterRequest): Promise<void>;
  close(): void;
}

interface FilterRequest {
  readonly dimension: AskedDimension;
  readonly anchor: HTMLElement;
  readonly chosen: readonly string[];
  values(): Promise<readonly SummaryCell[]>;
  choose(values: readonly string[]): void;
}

const EDGE = 8;

/** One panel for all filters. It is outside the view, so that redrawing the view for a chosen value does not close it. */
export function createFilterPanel(): FilterPanel {
  const panel = element('div', { class: 'filter-panel', popover: 'auto', role: 'dialog' });
  document.body.append(panel);
  let focusBack: AskedDimension | null = null;
  let opened = 0;
  panel.addEventListener('toggle', (event) => {
    if (!(event instanceof ToggleEvent) || event.newState !== 'closed') return;
    if (document.activeElement === document.body || panel.contains(document.activeElement)) {
      if (focusBack !== null) buttonOf(focusBack)?.focus();
    }
  });

  return {
    async open({ dimension, anchor, chosen, values, choose }) {
      const label = DIMENSION_LABELS[dimension];
      focusBack = dimension;
      const mine = ++opened;
      panel.setAttribute('aria-label', `Filter by ${label.toLowerCase()}`);
      panel.replaceChildren(element('p', { class: 'quiet' }, 'Loading …'));
      if (!panel.matches(':popover-open')) panel.showPopover();
      place(panel, anchor);
      try {
        const cells = await values();
        if (mine !== opened) return;
        const picked = new Set(chosen);
        panel.replaceChildren(
          ...choices(
            dimension,
            cells,
            picked,
            () => {
              choose([...picked]);
              place(panel, buttonOf(dimension) ?? anchor);
            },
            () => panel.hidePopover(),
          ),
        );
      } catch (error) {
        if (mine !== opened) return;
        panel.replaceChildren(
          element('p', { class: 'problem', role: 'alert' }, error instanceof Error ? error.message : String(error)),
        );
      }
      place(panel, anchor);
      panel.querySelector<HTMLElement>('input, button')?.focus();
    },
    close() {
      if (panel.matches(':popover-open')) panel.hidePopover();
    },
  };
}

function choices(
  dimension: AskedDimension,
  cells: readonly SummaryCell[],
  picked: Set<string>,
  changed: () => void,
  close: () => void,
): readonly HTMLElement[] {
  const counts = new Map<string, number>([...picked].map((value) => [value, 0]));
  for (const cell of cells) {
    if (isFewBrowsers(cell)) continue;
    const value = cell[dimension];
    if (typeof value === 'string' && value !== '') counts.set(value, cell.samples);
  }
  const label = DIMENSION_LABELS[dimension];
  if (counts.size === 0) {
    return [
      element(
        'p',
        { class: 'quiet' },
        cells.some(isFewBrowsers)
          ? 'Each value has too few browsers to be shown.'
          : `No ${label.toLowerCase()} is known for these samples.`,
      ),
      button({}, close, 'Close'),
    ];
  }
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  const lines = sorted.map(([value, count], index) => {
    const box = element('input', { type: 'checkbox', id: `choice-${index}` });
    box.checked = picked.has(value);
    box.addEventListener('change', () => {
      if (box.checked) picked.add(value);
      else picked.delete(value);
      changed();
    });
    const word = dimension === 'connection' ? wordFor(CONNECTION_LABELS, value) : value;
    return element(
      'label',
      { class: 'choice', for: `choice-${index}` },
      box,
      element('span', { class: 'choice-word' }, word),
      element('span', { class: 'choice-count' }, formatCount(count)),
    );
  });
  return [
    element(
      'div',
      { class: 'filter-head' },
      element('strong', {}, label),
      element('span', { class: 'quiet small' }, 'samples'),
    ),
    element('div', { class: 'choices' }, ...lines),
    element('div', { class: 'filter-foot' }, button({ class: 'primary' }, close, 'Done')),
  ];
}

/** The button that opened the panel; the controls are redrawn with every choice. */
function buttonOf(dimension: AskedDimension): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-filter="${dimension}"]`);
}

function place(panel: HTMLElement, anchor: HTMLElement): void {
  const box = anchor.getBoundingClientRect();
  const width = panel.offsetWidth;
  panel.style.left = `${Math.max(EDGE, Math.min(box.left, window.innerWidth - width - EDGE))}px`;
  panel.style.top = `${box.bottom + 4}px`;
  panel.style.maxHeight = `${Math.max(160, window.innerHeight - box.bottom - 2 * EDGE)}px`;
}
