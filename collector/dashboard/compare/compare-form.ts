import { type Dimension, isFewBrowsers, type TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import type { EvidenceDocument } from '../../questions/evidence.ts';
import {
  beforeOf,
  COMPARABLE,
  type Comparable,
  type Comparison,
  GROUPINGS,
  parseComparison,
  TIMES,
} from '../model/compare-question.ts';
import { viewQuery } from '../model/summary-queries.ts';
import { element } from '../render/element.ts';
import type { ViewContext } from '../render/view.ts';
import { formatMoment, resolveRange } from '../state/time-range.ts';
import { withOwn } from '../state/view-state.ts';

/** Chooses what to compare. All of its state is in the URL. */
export function compareForm(context: ViewContext): HTMLElement {
  const { state, navigate } = context;
  const comparison = parseComparison(state.own);
  const set = (changes: Record<string, string>) => navigate(withOwn(state, changes));
  return element(
    'section',
    { class: 'panel compare-form', 'aria-label': 'What to compare' },
    element(
      'div',
      { class: 'segments', role: 'group', 'aria-label': 'Compare' },
      ...COMPARABLE.map(({ name, label }) => {
        const made = element(
          'button',
          {
            type: 'button',
            class: 'segment',
            'aria-pressed': String(name === comparison.what),
            'data-focus': `compare ${name}`,
          },
          label,
        );
        made.addEventListener('click', () => set({ what: name === 'range' ? '' : name, a: '', b: '' }));
        return made;
      }),
    ),
    element(
      'div',
      { class: 'compare-sides' },
      ...(comparison.what === 'range'
        ? rangeSides(context, comparison, set)
        : valueSides(context, comparison.what, comparison, set)),
      choose('compare-time', 'Time', TIMES, comparison.time, (time) => set({ time: time === 'ttlb' ? '' : time })),
      choose('compare-by', 'Group by', GROUPINGS, comparison.by, (by) => set({ by: by === 'none' ? '' : by })),
    ),
  );
}

/** A select fires `change` for each arrow or letter key, before the user has reached the wanted option, ms. */
const TYPING = 500;

/** Acts at once on a choice by mouse, and after a pause on one by keyboard. */
function whenChosen(select: HTMLSelectElement, act: (value: string) => void): void {
  let byKey = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  select.addEventListener('keydown', ({ key }) => {
    byKey = key !== 'Enter';
  });
  select.addEventListener('pointerdown', () => {
    byKey = false;
  });
  select.addEventListener('change', () => {
    clearTimeout(timer);
    if (byKey) timer = setTimeout(() => act(select.value), TYPING);
    else act(select.value);
  });
}

function choose(
  id: string,
  label: string,
  options: readonly { readonly name: string; readonly label: string }[],
  chosen: string,
  act: (name: string) => void,
): HTMLElement {
  const select = element(
    'select',
    { id, 'data-focus': id },
    ...options.map((option) =>
      element('option', { value: option.name, selected: option.name === chosen }, option.label),
    ),
  );
  whenChosen(select, act);
  return element('div', { class: 'field' }, element('label', { for: id }, label), select);
}

/** The later range is the view's own; the earlier one is the same length right before it by default. */
function rangeSides(
  { state, now }: ViewContext,
  { before }: Comparison,
  set: (changes: Record<string, string>) => void,
): HTMLElement[] {
  const range = resolveRange(state.range, now());
  const earlier = before ?? beforeOf(range);
  const follows = element('select', { id: 'compare-before', 'data-focus': 'compare-before' });
  follows.append(
    element('option', { value: 'previous', selected: before === null }, 'the preceding period'),
    element(
      'option',
      { value: 'week', selected: isShifted(earlier, range, WEEK) && before !== null },
      'the same time a week earlier',
    ),
    element(
      'option',
      { value: 'own', selected: before !== null && !isShifted(earlier, range, WEEK) },
      'a custom range',
    ),
  );
  const fields = rangeFields(earlier, set);
  fields.hidden = before === null || isShifted(earlier, range, WEEK);
  follows.addEventListener('change', () => {
    if (follows.value === 'previous') set({ beforeFrom: '', beforeTo: '' });
    else if (follows.value === 'week') set(isoRange({ from: range.from - WEEK, to: range.to - WEEK }));
    else {
      fields.hidden = false;
      fields.querySelector('input')?.focus();
    }
  });
  return [
    element(
      'div',
      { class: 'field' },
      element('label', { for: 'compare-before' }, 'Compare the range above with'),
      follows,
    ),
    fields,
  ];
}

const WEEK = 7 * 24 * 3_600_000;

/** With an hour's tolerance: a moving range has moved on since the earlier range was chosen. */
function isShifted(earlier: TimeRange, range: TimeRange, by: number): boolean {
  return Math.abs(range.to - earlier.to - by) < 3_600_000 && Math.abs(range.from - earlier.from - by) < 3_600_000;
}

function isoRange({ from, to }: TimeRange): Record<string, string> {
  return { beforeFrom: new Date(from).toISOString(), beforeTo: new Date(to).toISOString() };
}

function rangeFields(range: TimeRange, set: (changes: Record<string, string>) => void): HTMLFormElement {
  const field = (id: string, label: string, at: number) => {
    const input = element('input', { id, type: 'datetime-local', required: true });
    input.value = formatMoment(at).replace(' ', 'T');
    return { input, whole: element('div', { class: 'field' }, element('label', { for: id }, label), input) };
  };
  const from = field('compare-from', 'from', range.from);
  const to = field('compare-to', 'to', range.to);
  const problem = element('p', { class: 'problem', role: 'alert' });
  const form = element(
    'form',
    { class: 'compare-range' },
    from.whole,
    to.whole,
    element('button', { type: 'submit' }, 'Compare'),
    problem,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const chosen = { from: Date.parse(from.input.value), to: Date.parse(to.input.value) };
    if (chosen.from < chosen.to) set(isoRange(chosen));
    else problem.textContent = 'The end must be after the start.';
  });
  return form;
}

/** Two values of one dimension. The options are the values in this range, and always those in the URL. */
function valueSides(
  context: ViewContext,
  what: Exclude<Comparable, 'range'>,
  { a, b }: Comparison,
  set: (changes: Record<string, string>) => void,
): HTMLElement[] {
  const one = COMPARABLE.find(({ name }) => name === what)?.one ?? 'value';
  const boxes = (['a', 'b'] as const).map((side) => {
    const id = `compare-${side}`;
    const select = element('select', { id, 'data-focus': id });
    whenChosen(select, (value) => set({ [side]: value }));
    return {
      side,
      select,
      whole: element(
        'div',
        { class: 'field' },
        element('label', { for: id }, side === 'a' ? `Compare ${one}` : 'with'),
        select,
      ),
    };
  });
  const fill = (values: readonly string[]) => {
    for (const { side, select } of boxes) {
      const chosen = side === 'a' ? a : b;
      const all = [...new Set([...(chosen === null ? [] : [chosen]), ...values])].sort();
      select.replaceChildren(
        element(
          'option',
          { value: '', selected: chosen === null },
          all.length === 0 ? 'none in this range' : 'Choose …',
        ),
        ...all.map((value) => element('option', { value, selected: value === chosen }, value)),
      );
    }
  };
  fill([]);
  context.scope.panel<readonly string[]>({
    key: `compare values ${what} ${viewQuery({ ...context.state, filters: {} }, 0)}`,
    name: 'Choices',
    read: (signal) => valuesOf(context, what, signal),
    render: (values) => {
      fill(values);
      return [];
    },
  });
  return boxes.map(({ whole }) => whole);
}

async function valuesOf(
  { client, state, now }: ViewContext,
  what: Exclude<Comparable, 'range'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (what === 'browserVersion' || what === 'extension') {
    const { fleet } = await client.read<EvidenceDocument>(
      `/evidence?${viewQuery(state, now(), { by: ['target'] })}`,
      signal,
    );
    const versions = fleet?.versions ?? [];
    return versions
      .filter((one) => !isFewBrowsers(one))
      .map(({ browser, version, extension }) => (what === 'extension' ? extension : `${browser} ${version}`));
  }
  const { [what as Dimension]: _own, ...filters } = state.filters;
  const { cells } = await client.summary(viewQuery({ ...state, filters }, now(), { by: [what] }), signal);
  return cells.flatMap((cell) => {
    const value = isFewBrowsers(cell) ? null : cell[what];
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
}
