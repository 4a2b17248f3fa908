import { hostLabel } from '../../../shared/redact/host-label.ts';
import type { AnyDimension } from '../../../shared/vocabulary/dimensions.ts';
import type { SummaryCell, TimeStatistics, Verdict } from '../../analysis/summary/summary-document.ts';
import { browsersColumn, browsersNotes } from '../../analysis/tables/browsers-column.ts';
import { column, type TableColumn, type TableDocument, type TableRow } from '../../analysis/tables/table-document.ts';
import { nameScenarios } from '../../analysis/text/name-scenarios.ts';
import type { Accounting } from '../document/report-request.ts';
import type { ReportTexts } from '../language/english.ts';

/** Groups of a summary as one table: how many, how long, what a connection costs, and the main cause. */
export function cellTable(
  title: string,
  cells: readonly SummaryCell[],
  by: readonly AnyDimension[],
  texts: ReportTexts,
  { first, per, minN }: Pick<Accounting, 'first' | 'per' | 'minN'>,
): TableDocument {
  const { summary: words, dimensions, none } = texts;
  const both = [column('median', words.median, 'ms'), column('mean', words.average, 'ms')];
  const columns: TableColumn[] = [
    ...by.map((dimension) => column(dimension, dimensions[dimension], 'text')),
    column('n', words.requests, 'count'),
    browsersColumn(words.browsers, cells, texts),
    ...(first === 'median' ? both : both.reverse()),
    column('p95', words.p95, 'ms'),
    column('newShare', words.newShare, 'share'),
    column('setup', words.setup[per], 'ms'),
    column('tls', words.tls[per], 'ms'),
    column('wait', words.wait[first], 'ms'),
    column('verdict', words.verdict, 'text'),
    column('doubt', words.doubt, 'text'),
  ];
  // Groups seen only in the cache, or not at all, have no times.
  const measured = cells.filter(({ phases }) => phases.ttlb !== null);
  const few = measured.filter((cell) => (cell.phases.ttlb?.n ?? 0) < minN).length;
  return {
    title,
    columns,
    rows: measured.map((cell) => ({
      ...Object.fromEntries(by.map((dimension) => [dimension, nameIn(dimension, cell)])),
      ...rowOf(cell),
    })),
    notes: [
      words.perNote[per],
      words.doubtNote,
      ...browsersNotes(cells, texts),
      ...(few === 0 ? [] : [words.fewNote(few, minN)]),
    ],
  };

  function nameIn(dimension: AnyDimension, { foldedWith, ...cell }: SummaryCell): string {
    return foldedWith === undefined
      ? label(dimension, cell[dimension] || none, texts)
      : texts.withFewBrowsers(label(dimension, foldedWith, texts));
  }

  function verdictWords({ verdict, typical }: Verdict): string {
    const average = words.verdicts[verdict];
    return typical.verdict === verdict ? average : words.twoVerdicts(words.verdicts[typical.verdict], average);
  }

  function rowOf(cell: SummaryCell): TableRow {
    const { ttlb, tls, wait } = cell.phases;
    const n = ttlb?.n ?? 0;
    const enough = <T>(value: T | null | undefined): T | null => (n < minN ? null : (value ?? null));
    const { perConnection, perRequest } = cell.setup;
    const opened = perRequest === null ? null : (perConnection?.n ?? 0) / perRequest.n;
    return {
      n,
      browsers: cell.browsers,
      median: enough(ttlb?.median),
      mean: enough(ttlb?.mean),
      p95: enough(ttlb?.p95),
      newShare: enough(opened),
      setup: enough(per === 'request' ? perRequest?.mean : central(perConnection, first)),
      tls: enough(per === 'request' ? cell.perRequest.tls : central(tls, first)),
      wait: enough(central(wait, first)),
      verdict: n < minN ? null : verdictWords(cell.verdict),
      doubt: n < minN ? words.tooFew(minN) : (ttlb?.keepMeasuring ?? []).map((code) => words.doubts[code]).join(', '),
    };
  }
}

function central(statistics: TimeStatistics | null, first: Accounting['first']): number | null {
  return statistics === null ? null : first === 'median' ? statistics.median : statistics.mean;
}

function label(dimension: AnyDimension, value: string, texts: ReportTexts): string {
  if (dimension === 'scenario') return nameScenarios(value, texts);
  return dimension === 'host' ? hostLabel(value) : value;
}
