import type { NamesOfApps } from '../../../shared/settings/app-names.ts';
import type { AnyDimension } from '../../../shared/vocabulary/dimensions.ts';
import { toFinding } from '../../analysis/summary/finding.ts';
import type { SummaryDocument } from '../../analysis/summary/summary-document.ts';
import { findingText } from '../../analysis/text/finding-text.ts';
import { DEFAULT_ACCOUNTING, type ReportRequest } from '../document/report-request.ts';
import type { ReportTexts } from '../language/english.ts';
import { filterText, subtitleText } from '../language/period-text.ts';
import { countedIn, longestWaitFirst } from './cell-sums.ts';
import { cellTable } from './cell-table.ts';
import type { Written } from './method-section.ts';
import { slowSentence } from './slow-sentence.ts';

const MAX_FINDINGS = 3;
const SHOWN = 60;

/** The summary, however it is grouped: the worst groups in words, then every group. */
export function summaryReport(
  document: SummaryDocument,
  { zone }: ReportRequest,
  texts: ReportTexts,
  apps: NamesOfApps,
): Written {
  const { method } = document;
  const { title, groups } = texts.summary;
  const range = { from: Date.parse(method.from), to: Date.parse(method.to) };
  const cells = longestWaitFirst(document.cells);
  const findings = cells.slice(0, MAX_FINDINGS).flatMap((cell) => {
    const finding = toFinding(cell);
    if (finding === null) return [];
    return [[...findingText(finding, texts, apps), ...slowSentence(cell, texts, zone, range.to)].join(' ')];
  });
  const table = cellTable(groups, cells, method.by as readonly AnyDimension[], texts, DEFAULT_ACCOUNTING);
  return {
    title,
    subtitle: subtitleText(range, zone, filterText(method.filters, texts, apps), texts),
    dated: range.to,
    sections:
      cells.length === 0
        ? []
        : [
            { title: texts.sections.figures, blocks: [{ kind: 'points', points: findings }] },
            { title: texts.sections.tables, blocks: [{ kind: 'table', table, shown: SHOWN }] },
          ],
    method,
    counted: countedIn(cells),
    data: document,
  };
}
