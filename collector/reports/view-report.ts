import type { TableRow, ViewDocument } from '../analysis/tables/table-document.ts';
import type { HistogramLine } from '../charts/chart-spec.ts';
import type { ReportDocument } from '../questions/view.ts';
import { emptySection } from './empty-section.ts';
import { filterText } from './filter-text.ts';
import { translate, translateCell } from './language/translate.ts';
import { wordsOf } from './language/words.ts';
import { methodSection } from './method-section.ts';
import { periodText } from './period-words.ts';
import { readableTable } from './readable-table.ts';
import type { Block, Report } from './report-document.ts';
import type { ReportRequest } from './report-request.ts';

/** A histogram of many bins is a picture; as rows only so many are printed. */
const SHOWN_ROWS: Readonly<Record<string, number>> = { Histogram: 40, 'Result codes': 60, Pages: 60, Trend: 60 };
const MAX_DRAWN = 8;

/** One of the five views of the seeds as a report: its tables as they are, the histogram drawn, the method below. */
export function viewReport(document: ReportDocument, request: ReportRequest): Report {
  const { language, zone, stamp } = request;
  const { method, view } = document;
  const words = wordsOf(language);
  const title = translate(view.title, language);
  const notes = view.notes.map((note) => translate(note, language));
  const filters = filterText(method.filters);
  const range = { from: Date.parse(method.from), to: Date.parse(method.to) };
  const empty = !view.tables.some(({ title: name, rows }) => rows.length > 0 && name !== LADDER);
  return {
    view: view.view,
    language,
    title,
    subtitle: [periodText(range, zone, language), ...(filters === '' ? [] : [words.only(filters)])].join('. '),
    madeAt: stamp === null ? null : new Date(stamp).toISOString(),
    dated: range.to,
    sections: [
      ...(empty
        ? [emptySection(language, view.view === 'probes' ? 'probes' : 'requests')]
        : [
            ...pictures(view, language),
            { title: words.tables, blocks: view.tables.map((table): Block => tableBlock(table, language)) },
          ]),
      ...(notes.length === 0
        ? []
        : [{ title: words.notes, blocks: notes.map((text): Block => ({ kind: 'text', text })) }]),
      methodSection(method, request),
    ],
    data: document,
  };
}

/** It has its rungs even where nothing was measured. */
const LADDER = 'Requests served within a time';

function tableBlock(table: ViewDocument['tables'][number], language: Report['language']): Block {
  const shown = SHOWN_ROWS[table.title];
  return { kind: 'table', table: readableTable(table, language), ...(shown === undefined ? {} : { shown }) };
}

function pictures({ view, tables }: ViewDocument, language: Report['language']): Report['sections'] {
  const histogram = tables.find(({ title }) => title === 'Histogram');
  if (view !== 'scenarios' || histogram === undefined || histogram.rows.length === 0) return [];
  const lines = new Map<string, HistogramLine>();
  for (const row of histogram.rows) {
    const name = `${row.scenario}, ${translateCell(String(row.source), language)}`;
    const bins = [...(lines.get(name)?.bins ?? []), binOf(row)];
    lines.set(name, { name, scenario: String(row.scenario), bins });
  }
  return [
    {
      title: translate('Histogram', language),
      blocks: [
        {
          kind: 'chart',
          title: translate('Response times', language),
          description: translate(PICTURE, language),
          chart: {
            kind: 'histogram',
            lines: [...lines.values()].slice(0, MAX_DRAWN),
          },
        },
      ],
    },
  ];
}

const PICTURE =
  'How many requests took how long, one row a scenario, on a logarithmic axis; each row is scaled to its own tallest bar.';

function binOf(row: TableRow) {
  return { from: Number(row.from), to: Number(row.to), count: Number(row.count) };
}
