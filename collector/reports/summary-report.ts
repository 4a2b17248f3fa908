import type { Dimension } from '../../shared/vocabulary/dimensions.ts';
import type { SummaryDocument } from '../analysis/summary/summary-document.ts';
import { DEFAULT_ACCOUNTING } from './accounting.ts';
import { cellTable } from './cell-table.ts';
import { countedIn } from './counted-in.ts';
import { emptySection } from './empty-section.ts';
import { filterText } from './filter-text.ts';
import { findingSentences } from './language/finding-sentences.ts';
import { summaryWordsOf } from './language/summary-words.ts';
import { wordsOf } from './language/words.ts';
import { methodSection } from './method-section.ts';
import { periodText } from './period-words.ts';
import type { Report, Section } from './report-document.ts';
import type { ReportRequest } from './report-request.ts';
import { waitedMs } from './waited.ts';

const MAX_FINDINGS = 3;
const SHOWN = 60;

/** The summary of any grouping: what is worst in words, then every group. */
export function summaryReport(document: SummaryDocument, request: ReportRequest): Report {
  const { language, zone, stamp } = request;
  const { method } = document;
  const words = wordsOf(language);
  const { title, groups } = summaryWordsOf(language);
  const filters = filterText(method.filters);
  const range = { from: Date.parse(method.from), to: Date.parse(method.to) };
  const cells = [...document.cells].sort((a, b) => waitedMs(b) - waitedMs(a));
  const findings = cells.slice(0, MAX_FINDINGS).flatMap((cell) => {
    const sentences = findingSentences(cell, language);
    return sentences.length === 0 ? [] : [sentences.join(' ')];
  });
  const sections: Section[] =
    cells.length === 0
      ? [emptySection(language)]
      : [
          { title: words.figures, blocks: [{ kind: 'points', points: findings }] },
          {
            title: words.tables,
            blocks: [
              {
                kind: 'table',
                table: cellTable(groups, cells, method.by as readonly Dimension[], language, DEFAULT_ACCOUNTING),
                shown: SHOWN,
              },
            ],
          },
        ];
  return {
    view: 'summary',
    language,
    title,
    subtitle: [periodText(range, zone, language), ...(filters === '' ? [] : [words.only(filters)])].join('. '),
    madeAt: stamp === null ? null : new Date(stamp).toISOString(),
    dated: range.to,
    sections: [...sections, methodSection(method, request, { counted: countedIn(cells) })],
    data: document,
  };
}
