import { hostLabel } from '../../../shared/redact/host-label.ts';
import type { CellAggregate } from '../../reductions/cell-aggregate.ts';
import { ENGLISH_TABLES, type TableTexts } from '../text/english-tables.ts';
import type { PageGroup } from './page-groups.ts';
import { pageMinusImageTable } from './page-minus-image-table.ts';
import { type ReceiveBySize, receiveBySizeTable } from './receive-by-size-table.ts';
import { column, fillColumns, type TableDocument, type Unit, type ViewDocument } from './table-document.ts';

export interface PagesOptions {
  /** Length of the range behind the samples, seconds; null if not given. */
  readonly durationSeconds: number | null;
}

/** The contents of the view, computed sample by sample or elsewhere. */
export interface PagesFacts {
  /** By host, template and type. */
  readonly pages: readonly PageGroup[];
  /** Pages left out of all tables because others have more requests, and the number of their requests. */
  readonly leftOut: { readonly pages: number; readonly requests: number };
  readonly receive: ReceiveBySize;
  /** All samples as one cell; null without any. */
  readonly whole: CellAggregate | null;
}

/** Page by page: hits, result codes, first and last byte, and whether the same thing was measured every time. */
export function toPagesView(
  facts: PagesFacts,
  options: PagesOptions,
  texts: TableTexts = ENGLISH_TABLES,
): ViewDocument {
  const { pages, receive, whole } = facts;
  return {
    view: 'pages',
    title: texts.views.pages,
    tables: [
      pagesTable(pages, texts),
      statusTable(pages, texts),
      pageMinusImageTable(pages, texts),
      receiveBySizeTable(receive, whole, texts),
    ],
    notes: methodNotes(facts, options, texts.notes),
  };
}

function pagesTable(pages: readonly PageGroup[], { titles, columns, statistics, notes }: TableTexts): TableDocument {
  const measured = pages.filter(({ hits }) => hits > 0);
  const several = (of: 'ttfb' | 'ttlb' | 'length', label: string, shown: typeof SHOWN, unit: Unit) =>
    shown.map((name) => {
      const value = (page: PageGroup) => page[of]?.[name] ?? null;
      return [`${of}_${name}`, `${label}, ${statistics[name]}`, unit, value] as const;
    });
  return {
    title: titles.pages,
    ...fillColumns(measured, [
      ['host', columns.host, 'text', ({ host }) => hostLabel(host)],
      ['template', columns.page, 'text'],
      ['type', columns.type, 'text'],
      ['hits', columns.hits, 'count'],
      ...several('ttfb', columns.firstByte, SHOWN, 'ms'),
      ...several('ttlb', columns.lastByte, SHOWN, 'ms'),
      ...several('length', columns.contentLength, SHOWN.slice(1), 'bytes'),
      ['lengthStable', columns.contentLength, 'text', lengthStable],
      ['keepMeasuring', columns.keepMeasuring, 'text', ({ ttlb }) => ttlb?.keepMeasuring.join(', ') ?? ''],
    ]),
    notes: [evenness(measured, notes), notes.varyingLength],
  };
}

const SHOWN: readonly ('mean' | 'min' | 'p25' | 'median' | 'p75' | 'max')[] = [
  'mean',
  'min',
  'p25',
  'median',
  'p75',
  'max',
];

function lengthStable({ length }: PageGroup): string | null {
  return length === null ? null : length.min === length.max ? 'stable' : 'varies';
}

function evenness(pages: readonly PageGroup[], notes: TableTexts['notes']): string {
  const hits = pages.map((page) => page.hits);
  if (hits.length === 0) return notes.noUsablePage;
  return notes.hits(
    hits.reduce((least, n) => Math.min(least, n), Number.POSITIVE_INFINITY),
    hits.reduce((most, n) => Math.max(most, n), 0),
  );
}

function methodNotes(
  { pages, leftOut, whole }: PagesFacts,
  { durationSeconds }: PagesOptions,
  notes: TableTexts['notes'],
): string[] {
  const excluded = whole?.evidence.excluded ?? {};
  const busy = whole?.times.ttlb.sum ?? 0;
  const concurrency = durationSeconds === null || durationSeconds <= 0 ? null : busy / 1e6 / durationSeconds;
  return [
    notes.duration(durationSeconds),
    notes.warmup(excluded.warmup ?? 0),
    notes.repetitions(whole?.evidence.usable ?? 0, pages.length + leftOut.pages),
    notes.concurrency(concurrency),
    notes.otherStatus(excluded.status ?? 0),
    ...(leftOut.pages === 0 ? [] : [notes.pagesLeftOut(pages.length, leftOut)]),
    notes.templates,
  ];
}

/** The result codes of each page. Look at these first, because refusals are fast. */
function statusTable(pages: readonly PageGroup[], { titles, columns, notes }: TableTexts): TableDocument {
  const rows = pages.flatMap(({ host, template, type, codes }) =>
    [...codes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, count]) => ({ host, template, type, code, count })),
  );
  return {
    title: titles.resultCodes,
    columns: [
      column('host', columns.host, 'text'),
      column('template', columns.page, 'text'),
      column('type', columns.type, 'text'),
      column('code', columns.code, 'text'),
      column('count', columns.count, 'count'),
    ],
    rows,
    notes: [notes.allSamples],
  };
}
