import type { NamesOfApps } from '../../../shared/settings/app-names.ts';
import { MIN_SAMPLES } from '../../../shared/statistics/keep-measuring.ts';
import type { AnyDimension } from '../../../shared/vocabulary/dimensions.ts';
import { fillColumns, type TableDocument } from '../../analysis/tables/table-document.ts';
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
  const shown = cells.map((cell) => {
    const [nBefore, nAfter] = [cell.before?.n ?? 0, cell.after?.n ?? 0];
    return { ...cell, nBefore, nAfter, ...(isFew(cell) ? { before: null, after: null } : {}) };
  });
  const outcome = ({ change, notCompared }: CompareCell) => {
    if (change === null) return outcomes[notCompared ?? 'not_measured'];
    return outcomes[!change.changed ? 'no' : change.difference > 0 ? 'slower' : 'faster'];
  };
  return {
    title: compare.table,
    ...fillColumns(shown, [
      ...(by.length === 0 ? [['all', columns.group, 'text', () => all] as const] : []),
      ...by.map((name) => [name, dimensions[name], 'text', (cell: CompareCell) => cell[name] ?? null] as const),
      ['nBefore', columns.nBefore, 'count'],
      ['nAfter', columns.nAfter, 'count'],
      ['before', columns.before, 'ms', ({ before }) => before?.median ?? null],
      ['after', columns.after, 'ms', ({ after }) => after?.median ?? null],
      ['difference', columns.difference, 'ms', ({ change }) => change?.difference ?? null],
      ['low', columns.low, 'ms', ({ change }) => change?.interval[0] ?? null],
      ['high', columns.high, 'ms', ({ change }) => change?.interval[1] ?? null],
      ['meanBefore', columns.meanBefore, 'ms', ({ before }) => before?.mean ?? null],
      ['meanAfter', columns.meanAfter, 'ms', ({ after }) => after?.mean ?? null],
      ['changed', columns.changed, 'text', outcome],
    ]),
    notes: [compare.note, ...(few === 0 ? [] : [summary.fewNote(few, MIN_SAMPLES)])],
  };
}
