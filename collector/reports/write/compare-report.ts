import type { NamesOfApps } from '../../../shared/settings/app-names.ts';
import { MIN_SAMPLES } from '../../../shared/statistics/keep-measuring.ts';
import type { AnyDimension } from '../../../shared/vocabulary/dimensions.ts';
import { column, type TableDocument } from '../../analysis/tables/table-document.ts';
import { changeText } from '../../analysis/text/change-text.ts';
import type { CompareCell, CompareDocument } from '../../questions/compare.ts';
import type { Block } from '../document/report-document.ts';
import type { ReportRequest } from '../document/report-request.ts';
import type { ReportTexts } from '../language/english.ts';
import { filterText, periodText } from '../language/period-text.ts';
import type { Written } from './method-section.ts';

const SHOWN = 60;
const MAX_SENTENCES = 5;

/** Two sides compared, group by group. */
export function compareReport(
  document: CompareDocument,
  { zone, query: { time } }: ReportRequest & { view: 'compare' },
  texts: ReportTexts,
  apps: NamesOfApps,
): Written {
  const { method, before, cells, leftOut } = document;
  const words = texts.compare;
  const said = cells.filter((cell) => !isFew(cell)).slice(0, MAX_SENTENCES);
  const [earlier = '', later = ''] = [before, method].map(({ from, to, filters }) => {
    const only = filterText(filters, texts, apps);
    const range = { from: Date.parse(from), to: Date.parse(to) };
    return `${periodText(range, zone, texts)}${only === '' ? '' : `, ${only}`}`;
  });
  const sentences: Block =
    said.length === 0
      ? { kind: 'text', text: texts.summary.fewNote(cells.length, MIN_SAMPLES) }
      : { kind: 'points', points: said.map((cell) => changeText(cell, time, cell, texts, apps)) };
  return {
    title: words.title(time),
    subtitle: words.subtitle(earlier, later),
    dated: Date.parse(method.to),
    sections:
      cells.length === 0
        ? []
        : [
            { title: texts.sections.figures, blocks: [sentences] },
            {
              title: texts.sections.tables,
              blocks: [{ kind: 'table', table: tableOf(document, texts), shown: SHOWN }],
            },
          ],
    method,
    before: { from: Date.parse(before.from), to: Date.parse(before.to) },
    accounting: [words.how, ...(leftOut === 0 ? [] : [words.leftOut(leftOut)]), words.beforeHash(before.dataHash)],
    data: document,
  };
}

/** A median of too few values says nothing: neither it nor its change is shown. */
function isFew({ before, after }: CompareCell): boolean {
  return [before, after].some((side) => side !== null && side.n < MIN_SAMPLES);
}

function tableOf(
  { method, cells }: CompareDocument,
  { compare, summary, dimensions, all }: ReportTexts,
): TableDocument {
  const { columns, outcomes } = compare;
  const few = cells.filter(isFew).length;
  const by = method.by as readonly AnyDimension[];
  const keys =
    by.length === 0 ? [column('all', columns.group, 'text')] : by.map((name) => column(name, dimensions[name], 'text'));
  return {
    title: compare.table,
    columns: [
      ...keys,
      column('nBefore', columns.nBefore, 'count'),
      column('nAfter', columns.nAfter, 'count'),
      column('before', columns.before, 'ms'),
      column('after', columns.after, 'ms'),
      column('difference', columns.difference, 'ms'),
      column('low', columns.low, 'ms'),
      column('high', columns.high, 'ms'),
      column('meanBefore', columns.meanBefore, 'ms'),
      column('meanAfter', columns.meanAfter, 'ms'),
      column('changed', columns.changed, 'text'),
    ],
    rows: cells.map((cell) => ({
      all,
      ...Object.fromEntries(by.map((name) => [name, cell[name] ?? null])),
      ...rowOf(cell),
    })),
    notes: [compare.note, ...(few === 0 ? [] : [summary.fewNote(few, MIN_SAMPLES)])],
  };

  function rowOf(cell: CompareCell) {
    const counts = { nBefore: cell.before?.n ?? 0, nAfter: cell.after?.n ?? 0 };
    const { before, after, change, notCompared } = isFew(cell) ? { ...cell, before: null, after: null } : cell;
    return {
      ...counts,
      before: before?.median ?? null,
      after: after?.median ?? null,
      difference: change?.difference ?? null,
      low: change?.interval[0] ?? null,
      high: change?.interval[1] ?? null,
      meanBefore: before?.mean ?? null,
      meanAfter: after?.mean ?? null,
      changed:
        change === null
          ? outcomes[notCompared ?? 'not_measured']
          : outcomes[!change.changed ? 'no' : change.difference > 0 ? 'slower' : 'faster'],
    };
  }
}
