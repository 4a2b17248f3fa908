import { browsersLabel, browsersNotes } from '../../analysis/tables/browsers-column.ts';
import type { TableDocument } from '../../analysis/tables/table-document.ts';
import { labelledColumns } from '../../analysis/tables/table-document.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import type { EvidenceCell } from '../../questions/evidence.ts';
import { valueLabel } from '../model/value-label.ts';
import { EVIDENCE } from '../text/evidence.ts';
import { formatCount } from '../text/format.ts';
import { t } from '../text/t.ts';

/** One class of evidence: each sample is in exactly one. */
export interface EvidenceClass {
  /** `usable`, `opaque`, `cache`, or the reason of an exclusion. */
  readonly name: string;
  readonly label: string;
  readonly count: number;
  /** Of all samples, 0…1. */
  readonly share: number;
  /** Its effect on the numbers. */
  readonly meaning: string;
}

const text = EVIDENCE;

/** The classes of all cells together: usable first, then by size. */
export function evidenceClasses(cells: readonly EvidenceCell[]): EvidenceClass[] {
  const counts = new Map<string, number>([['usable', 0]]);
  const add = (name: string, count: number) => counts.set(name, (counts.get(name) ?? 0) + count);
  for (const { evidence } of cells) {
    add('usable', evidence.usable);
    add('opaque', evidence.opaque);
    add('cache', evidence.cache);
    for (const [reason, count] of Object.entries(evidence.excluded)) add(reason, count);
  }
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const rank = ({ name, count }: EvidenceClass) => (name === 'usable' ? Number.POSITIVE_INFINITY : count);
  return [...counts]
    .filter(([name, count]) => count > 0 || name === 'usable')
    .map(([name, count]) => ({
      name,
      label: labelOf(name),
      count,
      share: all === 0 ? 0 : count / all,
      meaning: Object.hasOwn(text.meanings, name) ? wordFor(text.meanings, name) : '',
    }))
    .sort((a, b) => rank(b) - rank(a));
}

function labelOf(name: string): string {
  const { usable, opaque, cache } = text.classes;
  return wordFor({ ...t.exclusions, usable, opaque, cache }, name);
}

/** The finding of the evidence view in one or two sentences. */
export function evidenceSentence(parts: readonly EvidenceClass[]): string {
  const all = parts.reduce((sum, { count }) => sum + count, 0);
  const [usable, ...others] = parts;
  if (all === 0 || usable === undefined) return text.noSamples;
  const head = text.timed(usable.share, all);
  if (others.length === 0) return head;
  const rest = others.slice(2).reduce((sum, { share }) => sum + share, 0);
  return `${head} ${text.notTimed(others.slice(0, 2), rest, others.length - 2)}`;
}

export function classesTable(parts: readonly EvidenceClass[]): TableDocument {
  return {
    title: text.classes.table,
    columns: labelledColumns(text.classes.columns, { count: ['count'], share: ['share'] }),
    rows: parts.map(({ label, count, share, meaning }) => ({ label, count, share, meaning })),
    notes: [],
  };
}

export function cellsTable(cells: readonly EvidenceCell[]): TableDocument {
  return {
    title: text.cells.title,
    columns: labelledColumns(
      { ...text.cells.columns, browsers: browsersLabel(text.cells.columns.browsers, cells, t) },
      { count: ['samples', 'browsers'], share: ['usable', 'opaque', 'cache', 'excluded'] },
    ),
    rows: cells.map(({ host = null, type = null, samples, browsers, evidence }) => {
      const reasons = Object.entries(evidence.excluded).sort(([, a], [, b]) => b - a);
      const excluded = reasons.reduce((sum, [, count]) => sum + count, 0);
      const of = (count: number) => (samples === 0 ? null : count / samples);
      return {
        host,
        type: valueLabel('type', type, null),
        samples,
        browsers,
        usable: of(evidence.usable),
        opaque: of(evidence.opaque),
        cache: of(evidence.cache),
        excluded: of(excluded),
        why: reasons.map(([reason, count]) => `${wordFor(t.exclusions, reason)} ${formatCount(count)}`).join(', '),
      };
    }),
    notes: browsersNotes(cells, t),
  };
}

/** Times that the browser did not report for usable samples, by phase and reason. */
export function unknownTable(cells: readonly EvidenceCell[]): TableDocument {
  const counts = new Map<string, { time: string; reason: string; count: number }>();
  for (const { unknown } of cells) {
    for (const [time, reasons] of Object.entries(unknown)) {
      for (const [reason, count] of Object.entries(reasons)) {
        const id = `${time} ${reason}`;
        const entry = counts.get(id) ?? {
          time: wordFor({ ...t.phases, ...text.unknown.times }, time),
          reason: wordFor(t.unknown, reason),
          count: 0,
        };
        counts.set(id, { ...entry, count: entry.count + count });
      }
    }
  }
  return {
    title: text.unknown.title,
    columns: labelledColumns(text.unknown.columns, { count: ['count'] }),
    rows: [...counts.values()].sort((a, b) => b.count - a.count),
    notes: [text.unknown.note],
  };
}

/** The collector's table of the cache, with types in words. */
export function cacheTable(table: TableDocument): TableDocument {
  const rows = table.rows.map((row) => ({ ...row, type: valueLabel('type', String(row.type), null) }));
  return { ...table, title: EVIDENCE.cache, rows };
}
