import type { TimeStatistics } from '../../../shared/statistics/time-statistics.ts';
import type { CellAggregate } from '../../reductions/cell-aggregate.ts';
import type { PageGroup } from './page-groups.ts';
import { pageMinusImageTable } from './page-minus-image-table.ts';
import { type ReceiveBySize, receiveBySizeTable } from './receive-by-size-table.ts';
import { statusTable } from './status-table.ts';
import { column, type TableColumn, type TableDocument, type TableRow, type ViewDocument } from './table-document.ts';

export interface PagesOptions {
  /** Length of the range behind the samples, seconds; null where it was not stated. */
  readonly durationSeconds: number | null;
}

/** What the view is made of, found out sample by sample or elsewhere. */
export interface PagesFacts {
  /** By host, template and type. */
  readonly pages: readonly PageGroup[];
  /** Pages that are in no table since others have more requests, and their requests. */
  readonly leftOut: { readonly pages: number; readonly requests: number };
  readonly receive: ReceiveBySize;
  /** All samples as one cell; null where there are none. */
  readonly whole: CellAggregate | null;
}

/** Page by page: hits, result codes, first and last byte, and whether the same thing was measured every time. */
export function pagesViewOf(facts: PagesFacts, options: PagesOptions): ViewDocument {
  const { pages, receive, whole } = facts;
  return {
    view: 'pages',
    title: 'Pages: first and last byte, result codes, content length',
    tables: [pagesTable(pages), statusTable(pages), pageMinusImageTable(pages), receiveBySizeTable(receive, whole)],
    notes: methodNotes(facts, options),
  };
}

function pagesTable(pages: readonly PageGroup[]): TableDocument {
  const measured = pages.filter(({ hits }) => hits > 0);
  return {
    title: 'Pages',
    columns: [
      column('host', 'Host', 'text'),
      column('template', 'Page', 'text'),
      column('type', 'Type', 'text'),
      column('hits', 'Hits', 'count'),
      ...timeColumns('ttfb', 'First byte'),
      ...timeColumns('ttlb', 'Last byte'),
      ...(['min', 'p25', 'median', 'p75', 'max'] as const).map((name) =>
        column(`length_${name}`, `Content length, ${LABELS[name]}`, 'bytes'),
      ),
      column('lengthStable', 'Content length', 'text'),
      column('keepMeasuring', 'Keep measuring', 'text'),
    ],
    rows: measured.map((page) => ({
      host: page.host,
      template: page.template,
      type: page.type,
      hits: page.hits,
      ...timeCells('ttfb', page.ttfb),
      ...timeCells('ttlb', page.ttlb),
      ...lengthCells(page.length),
      lengthStable: page.length === null ? null : page.length.min === page.length.max ? 'stable' : 'varies',
      keepMeasuring: page.ttlb?.keepMeasuring.join(', ') ?? '',
    })),
    notes: [
      evenness(measured),
      'Content length that varies: different things were measured under one name. Read its times with care.',
    ],
  };
}

const LABELS = { mean: 'average', min: 'min', p25: 'p25', median: 'median', p75: 'p75', max: 'max' } as const;
type Shown = keyof typeof LABELS;
const SHOWN = Object.keys(LABELS) as Shown[];

function timeColumns(name: string, label: string): TableColumn[] {
  return SHOWN.map((shown) => column(`${name}_${shown}`, `${label}, ${LABELS[shown]}`, 'ms'));
}

function timeCells(name: string, statistics: TimeStatistics | null): TableRow {
  return Object.fromEntries(SHOWN.map((shown) => [`${name}_${shown}`, statistics?.[shown] ?? null]));
}

function lengthCells(length: TimeStatistics | null): TableRow {
  return Object.fromEntries(
    SHOWN.filter((shown) => shown !== 'mean').map((shown) => [`length_${shown}`, length?.[shown] ?? null]),
  );
}

function evenness(pages: readonly PageGroup[]): string {
  const hits = pages.map((page) => page.hits);
  if (hits.length === 0) return 'No page has a usable sample.';
  return `Hits per page lie between ${hits.reduce((least, n) => Math.min(least, n), Number.POSITIVE_INFINITY)} and ${hits.reduce((most, n) => Math.max(most, n), 0)}.`;
}

function methodNotes({ pages, leftOut, whole }: PagesFacts, { durationSeconds }: PagesOptions): string[] {
  const excluded = whole?.evidence.excluded ?? {};
  const busy = whole?.times.ttlb.sum ?? 0;
  const concurrency = durationSeconds === null || durationSeconds <= 0 ? null : busy / 1e6 / durationSeconds;
  return [
    `Duration: ${durationSeconds === null ? 'not stated' : `${durationSeconds} s`}.`,
    `Warm-up: ${excluded.warmup ?? 0} requests, left out.`,
    `Repetitions: ${whole?.evidence.usable ?? 0} requests over ${pages.length + leftOut.pages} pages.`,
    `Concurrency: ${concurrency === null ? 'unknown without a duration' : `${concurrency.toFixed(2)} requests under way on average`}.`,
    `Left out for their status (such as 401): ${excluded.status ?? 0}.`,
    ...(leftOut.pages === 0
      ? []
      : [
          `The ${pages.length} pages with most requests; ${leftOut.pages} others with ${leftOut.requests} requests are in no row.`,
        ]),
    'Page names are templates: numbers, ids and mangled parts of a path are folded.',
  ];
}
