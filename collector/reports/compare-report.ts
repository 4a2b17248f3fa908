import { MIN_SAMPLES } from '../../shared/statistics/keep-measuring.ts';
import type { AnyDimension } from '../../shared/vocabulary/dimensions.ts';
import { column, type TableDocument } from '../analysis/tables/table-document.ts';
import type { CompareCell, CompareDocument } from '../questions/compare.ts';
import { emptySection } from './empty-section.ts';
import { filterText } from './filter-text.ts';
import { changeSentence } from './language/change-sentence.ts';
import { compareWordsOf } from './language/compare-words.ts';
import { summaryWordsOf } from './language/summary-words.ts';
import { wordsOf } from './language/words.ts';
import { methodSection } from './method-section.ts';
import { periodText } from './period-words.ts';
import type { Report } from './report-document.ts';
import type { ReportRequest } from './report-request.ts';

const SHOWN = 60;
const SAID = 5;

/** Two sides set against each other, group by group. */
export function compareReport(document: CompareDocument, request: ReportRequest & { view: 'compare' }): Report {
  const { language, zone, stamp } = request;
  const { method, before, cells, leftOut } = document;
  const words = wordsOf(language);
  const own = compareWordsOf(language);
  const { time } = request.query;
  const said = cells.filter((cell) => !isFew(cell)).slice(0, SAID);
  const [earlier, later] = [before, method].map(({ from, to, filters }) => {
    const only = filterText(filters);
    const range = { from: Date.parse(from), to: Date.parse(to) };
    return `${periodText(range, zone, language)}${only === '' ? '' : `, ${only}`}`;
  });
  return {
    view: 'compare',
    language,
    title: own.title(time),
    subtitle: own.subtitle(earlier ?? '', later ?? ''),
    madeAt: stamp === null ? null : new Date(stamp).toISOString(),
    dated: Date.parse(method.to),
    sections: [
      ...(cells.length === 0
        ? [emptySection(language)]
        : [
            {
              title: words.figures,
              blocks:
                said.length === 0
                  ? [{ kind: 'text' as const, text: summaryWordsOf(language).fewNote(cells.length, MIN_SAMPLES) }]
                  : [{ kind: 'points' as const, points: said.map((cell) => changeSentence(cell, time, language)) }],
            },
            {
              title: words.tables,
              blocks: [{ kind: 'table' as const, table: tableOf(document, language), shown: SHOWN }],
            },
          ]),
      methodSection(method, request, {
        before: { from: Date.parse(before.from), to: Date.parse(before.to) },
        accounting: [own.how, ...(leftOut === 0 ? [] : [own.leftOut(leftOut)]), own.beforeHash(before.dataHash)],
      }),
    ],
    data: document,
  };
}

/** A median of too few is no fact: neither it nor what became of it. */
function isFew({ before, after }: CompareCell): boolean {
  return [before, after].some((side) => side !== null && side.n < MIN_SAMPLES);
}

function tableOf({ method, cells }: CompareDocument, language: Report['language']): TableDocument {
  const own = compareWordsOf(language);
  const { all, dimensions, fewNote } = summaryWordsOf(language);
  const few = cells.filter(isFew).length;
  const by = method.by as readonly AnyDimension[];
  const keys =
    by.length === 0 ? [column('all', own.group, 'text')] : by.map((name) => column(name, dimensions[name], 'text'));
  return {
    title: own.table,
    columns: [
      ...keys,
      column('nBefore', own.nBefore, 'count'),
      column('nAfter', own.nAfter, 'count'),
      column('before', own.before, 'ms'),
      column('after', own.after, 'ms'),
      column('difference', own.difference, 'ms'),
      column('low', own.low, 'ms'),
      column('high', own.high, 'ms'),
      column('meanBefore', own.meanBefore, 'ms'),
      column('meanAfter', own.meanAfter, 'ms'),
      column('changed', own.changed, 'text'),
    ],
    rows: cells.map((cell) => ({
      all,
      ...Object.fromEntries(by.map((name) => [name, cell[name] ?? null])),
      ...rowOf(cell),
    })),
    notes: [own.note, ...(few === 0 ? [] : [fewNote(few, MIN_SAMPLES)])],
  };

  function rowOf(cell: CompareCell) {
    const counts = { nBefore: cell.before?.n ?? 0, nAfter: cell.after?.n ?? 0 };
    const { before, after, change } = isFew(cell) ? { before: null, after: null, change: null } : cell;
    const word = change === null ? null : !change.changed ? own.no : change.difference > 0 ? own.slower : own.faster;
    return {
      ...counts,
      before: before?.median ?? null,
      after: after?.median ?? null,
      difference: change?.difference ?? null,
      low: change?.interval[0] ?? null,
      high: change?.interval[1] ?? null,
      meanBefore: before?.mean ?? null,
      meanAfter: after?.mean ?? null,
      changed: word,
    };
  }
}
