import { evidenceClassOf } from '../classify/evidence.ts';
import type { StoredSample } from '../sample/sample.ts';
import type { TimeStatistics } from '../statistics/time-statistics.ts';
import { aggregateSamples } from '../summary/aggregate-samples.ts';
import type { CellAggregate } from '../summary/cell-aggregate.ts';
import { known, type PageGroup, pageGroups } from './page-groups.ts';
import { pageMinusImageTable } from './page-minus-image-table.ts';
import { receiveBySizeTable } from './receive-by-size-table.ts';
import { statusTable } from './status-table.ts';
import { column, type TableColumn, type TableDocument, type TableRow, type ViewDocument } from './table-document.ts';

export interface PagesOptions {
  /** Length of the range behind the samples, seconds; null where it was not stated. */
  readonly durationSeconds: number | null;
  /** All samples as one cell, where that is known already. */
  readonly whole?: CellAggregate | null;
}

/** Page by page: hits, result codes, first and last byte, and whether the same thing was measured every time. */
export function pagesView(samples: readonly StoredSample[], options: PagesOptions): ViewDocument {
  const pages = pageGroups(samples);
  return {
    view: 'pages',
    title: 'Pages: first and last byte, result codes, content length',
    tables: [
      pagesTable(pages),
      statusTable(pages),
      pageMinusImageTable(pages),
      receiveBySizeTable(samples, options.whole ?? aggregateSamples(samples, [])[0] ?? null),
    ],
    notes: methodNotes(samples, pages, options),
  };
}

function pagesTable(pages: readonly PageGroup[]): TableDocument {
  const measured = pages.filter(({ usable }) => usable.length > 0);
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
      hits: page.usable.length,
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
  const hits = pages.map(({ usable }) => usable.length);
  if (hits.length === 0) return 'No page has a usable sample.';
  return `Hits per page lie between ${Math.min(...hits)} and ${Math.max(...hits)}.`;
}

function methodNotes(
  samples: readonly StoredSample[],
  pages: readonly PageGroup[],
  { durationSeconds }: PagesOptions,
): string[] {
  const excluded = (reason: string) => samples.filter((sample) => evidenceClassOf(sample) === reason).length;
  const busy = pages.reduce(
    (sum, { usable }) => sum + known(usable.map(({ times }) => times.ttlb)).reduce((a, b) => a + b, 0),
    0,
  );
  const concurrency = durationSeconds === null || durationSeconds <= 0 ? null : busy / 1e6 / durationSeconds;
  return [
    `Duration: ${durationSeconds === null ? 'not stated' : `${durationSeconds} s`}.`,
    `Warm-up: ${excluded('warmup')} requests, left out.`,
    `Repetitions: ${pages.reduce((sum, { usable }) => sum + usable.length, 0)} requests over ${pages.length} pages.`,
    `Concurrency: ${concurrency === null ? 'unknown without a duration' : `${concurrency.toFixed(2)} requests under way on average`}.`,
    `Left out for their status (such as 401): ${excluded('status')}.`,
    'Page names are templates: numbers, ids and mangled parts of a path are folded.',
  ];
}
