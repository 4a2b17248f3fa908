import { formatDifference, plural } from '../../analysis/text/format.ts';
import type { CompareCell, CompareDocument } from '../../questions/compare.ts';
import { parseComparison, sideNames, TIMES } from '../model/compare-question.ts';
import {
  compareDoubts,
  compareSentence,
  compareTable,
  groupName,
  OUTCOME_LABELS,
  outcomeOf,
  type Sides,
} from '../model/compare-words.ts';
import { methodNote } from '../model/method-note.ts';
import { ofWhat } from '../model/of-what.ts';
import { chartFigure } from '../render/chart-figure.ts';
import { dataTable } from '../render/data-table.ts';
import { element } from '../render/element.ts';
import { methodFooter } from '../render/method-footer.ts';
import { viewHead } from '../render/panel-box.ts';
import { emptyView } from '../render/states.ts';
import type { ViewContext } from '../render/view.ts';
import { describeRange } from '../state/time-range.ts';
import { drawIntervals } from './interval-chart.ts';

/** The result in a sentence, a chart of all groups, and the table. */
export function compareContent(document: CompareDocument, context: ViewContext): readonly Node[] {
  const { state, navigate, now, announce } = context;
  const { what, time, by } = parseComparison(state.own);
  const [a, b] = sideNames(state, now());
  const sides: Sides = { a, b, inTime: what === 'range' };
  const first = document.cells[0];
  if (first === undefined) {
    const clear = () => navigate({ ...state, filters: {} });
    const longer = () => navigate({ ...state, range: { preset: '30d' } });
    return [
      emptyView({
        method: document.method,
        filtered: Object.keys(state.filters).length > 0,
        range: describeRange(state.range),
        clear,
        longer,
      }),
    ];
  }
  const words = summary(document.cells, sides, by === 'none');
  announce(words);
  const timeLabel = TIMES.find(({ name }) => name === time)?.label ?? time;
  const table = compareTable(document, sides);
  const differing = document.cells.filter(({ change }) => change !== null);
  return [
    viewHead(
      `Compare: ${timeLabel}`,
      words,
      element(
        'p',
        { class: 'because' },
        `${sides.inTime ? `${b} against ${a}.` : `Both over ${describeRange(state.range)}.`}${usersOnly(context)}`,
      ),
      ...doubtsOf(document.cells, by === 'none').map((doubt) => element('p', { class: 'notice' }, doubt)),
    ),
    ...(differing.length === 0
      ? []
      : [
          element('h2', { class: 'spoken' }, 'Difference between the sides'),
          chartFigure({
            title: 'Difference of medians',
            note: `Milliseconds, ${sides.inTime ? 'now minus before' : `${b} minus ${a}`}; the lines are 95 % intervals.`,
            words: differing
              .slice(0, 8)
              .map((cell) => `${groupName(cell)}: ${formatDifference(cell.change?.difference ?? 0)} ms`)
              .join('; '),
            legend: [
              { label: 'slower', colour: '--mean' },
              { label: 'faster', colour: '--phase-tcp' },
              { label: 'not distinguishable from noise', colour: '--quiet' },
            ],
            table,
            of: ofWhat([timeLabel, `${a} against ${b}`], document.method),
            draw: (_charts, width) => drawIntervals(document.cells, width),
          }),
        ]),
    dataTable({
      name: 'comparison',
      table,
      sort: state.sorts.comparison ?? null,
      sortBy: (sort) => navigate({ ...state, sorts: { ...state.sorts, comparison: sort } }),
      cell: (column, row) =>
        column.name === 'outcome'
          ? element('span', { class: `outcome outcome-${classOf(row.outcome)}` }, String(row.outcome))
          : undefined,
    }),
    ...(document.leftOut > 0
      ? [
          element(
            'p',
            { class: 'quiet small' },
            `${plural(document.leftOut, 'smaller group')} not shown. Use the filters to see them.`,
          ),
        ]
      : []),
    methodFooter(methodNote(document.method)),
  ];
}

function usersOnly({ state }: ViewContext): string {
  const { what } = parseComparison(state.own);
  return what === 'source' || state.filters.source !== undefined ? '' : ' Users’ requests only, without probes.';
}

/** For one group its own sentence; for several how many changed, and the one that changed most. */
function summary(cells: readonly CompareCell[], sides: Sides, single: boolean): string {
  const [first] = cells;
  if (first === undefined) return '';
  // A sentence that starts with a name keeps the name's case.
  if (single || cells.length === 1)
    return sides.inTime ? capital(compareSentence(first, sides)) : compareSentence(first, sides);
  const changed = cells.filter((cell) => cell.change?.changed);
  if (changed.length === 0) {
    if (cells.every(({ change }) => change === null)) return 'No group was measured on both sides.';
    return `None of ${plural(cells.length, 'group')} differs by more than noise.`;
  }
  // A change based on few samples is named only if there is no other.
  const sure = changed.filter((cell) => compareDoubts(cell).length === 0);
  const most = [...(sure.length > 0 ? sure : changed)].sort((one, other) => size(other) - size(one))[0] ?? first;
  const slower = changed.filter((cell) => outcomeOf(cell) === 'slower').length;
  const counts = [
    ...(slower > 0 ? [`${slower} slower`] : []),
    ...(slower < changed.length ? [`${changed.length - slower} faster`] : []),
  ].join(', ');
  return `${counts} of ${plural(cells.length, 'group')}. Largest change: ${groupName(most)}: ${compareSentence(most, sides)}`;
}

function size({ change }: CompareCell): number {
  return change === null ? 0 : Math.abs(change.difference);
}

function doubtsOf(cells: readonly CompareCell[], single: boolean): string[] {
  if (single) return cells.slice(0, 1).flatMap(compareDoubts);
  const doubtful = cells.filter((cell) => cell.change?.changed && compareDoubts(cell).length > 0);
  if (doubtful.length === 0) return [];
  const names = doubtful.slice(0, 3).map(groupName).join(', ');
  const more = doubtful.length > 3 ? ` and ${doubtful.length - 3} more` : '';
  return [`Keep measuring ${names}${more}: the change is based on few samples or few browsers.`];
}

function classOf(label: unknown): string {
  return Object.entries(OUTCOME_LABELS).find(([, words]) => words === label)?.[0] ?? 'unknown';
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
