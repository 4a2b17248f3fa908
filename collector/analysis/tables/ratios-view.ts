import type { TableTexts } from '../text/english-tables.ts';
import { column, type TableDocument, type TableRow, type Unit, type ViewDocument } from './table-document.ts';

/** One scenario or run with its measured values. */
export interface MeasuredRun {
  readonly name: string;
  /** Values by metric; null or absent if not measured. */
  readonly measures: Readonly<Record<string, number | null>>;
}

export interface Measure {
  readonly name: string;
  readonly label: string;
  readonly unit: Unit;
}

/** Runs that were measured together, and which of them are compared with which. */
export interface RatioTable {
  readonly title: string;
  readonly runs: readonly MeasuredRun[];
  readonly comparisons: readonly Comparison[];
}

interface Comparison {
  /** Name of the run that the others are divided by. */
  readonly baseline: string;
  readonly runs: readonly string[];
  /** Runs that cannot be compared with the baseline and get no ratio. */
  readonly incomparable?: readonly string[];
  /** Notes on the comparison. */
  readonly notes?: readonly string[];
}

/** All metrics, absolute and then as a ratio to the named baseline. */
export function ratiosView(
  measures: readonly Measure[],
  tables: readonly RatioTable[],
  texts: TableTexts,
): ViewDocument {
  return {
    view: 'ratios',
    title: texts.views.ratios,
    tables: tables.flatMap((table) => [
      absolute(measures, table, texts),
      ...table.comparisons.map((comparison) => ratios(measures, table, comparison, texts)),
    ]),
    notes: [],
  };
}

function absolute(measures: readonly Measure[], { title, runs }: RatioTable, { columns }: TableTexts): TableDocument {
  return {
    title,
    columns: [
      column('run', columns.scenario, 'text'),
      ...measures.map(({ name, label, unit }) => column(name, label, unit)),
    ],
    rows: runs.map((run) => rowOf(run.name, measures, (name) => run.measures[name] ?? null)),
    notes: [],
  };
}

function ratios(
  measures: readonly Measure[],
  { title, runs }: RatioTable,
  comparison: Comparison,
  { titles, columns, notes: words }: TableTexts,
): TableDocument {
  const { baseline, incomparable = [], notes = [] } = comparison;
  const compared = runs.filter(({ name }) => name === baseline || comparison.runs.includes(name));
  const base = runs.find(({ name }) => name === baseline);
  return {
    title: titles.ratio(title, baseline),
    columns: [
      column('run', columns.scenario, 'text'),
      ...measures.map(({ name, label }) => column(name, label, 'ratio')),
    ],
    rows: base
      ? compared.map((run) =>
          rowOf(run.name, measures, (name) =>
            incomparable.includes(run.name) ? null : ratio(run.measures[name], base.measures[name]),
          ),
        )
      : [],
    notes: base ? [...notes, words.noRatio] : [words.noBaseline(baseline)],
  };
}

/** null if the baseline is 0: an infinite ratio says nothing. */
function ratio(value: number | null | undefined, base: number | null | undefined): number | null {
  return value === null || value === undefined || base === null || base === undefined || base === 0
    ? null
    : value / base;
}

function rowOf(run: string, measures: readonly Measure[], measureOf: (name: string) => number | null): TableRow {
  return { run, ...Object.fromEntries(measures.map(({ name }) => [name, measureOf(name)])) };
}
