import type { EvidenceClass as EvidenceName } from '../../../shared/sample/evidence.ts';
import type { TableDocument } from '../../analysis/tables/table-document.ts';
import { column } from '../../analysis/tables/table-document.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import type { EvidenceCell } from '../../questions/evidence.ts';
import { formatCount, formatShare, plural } from '../text/format.ts';
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

const MEANINGS: Readonly<Record<EvidenceName, string>> = {
  usable: 'included in all times',
  opaque: 'another origin hides its times; ask for Timing-Allow-Origin',
  cache: 'nothing was sent over the network',
  failed: 'the request ended with an error; counted, not timed',
  invalid: 'the browser’s timestamps contradict each other; never corrected',
  worker: 'the timestamps describe the page and its service worker, not the network',
  status: 'a response such as 401 or 404 is fast and says nothing about the page',
  redirect: 'the response was a redirect',
  challenge: 'the browser authenticated first, and that time counts as blocked',
  warmup: 'first requests of probes, to warm up',
  hidden: 'browsers throttle hidden tabs',
  bfcache: 'the page was restored from the back/forward cache',
  prerender: 'the page was prerendered; the user was not waiting',
  rule: 'your own exclusion rule',
  unproven: 'a probe’s run that did not prove its scenario',
};

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
      meaning: wordFor(MEANINGS, name) === name ? '' : wordFor(MEANINGS, name),
    }))
    .sort((a, b) => rank(b) - rank(a));
}

function labelOf(name: string): string {
  if (name === 'usable') return 'usable';
  if (name === 'opaque') return 'opaque';
  return name === 'cache' ? 'from the cache' : wordFor(t.exclusions, name);
}

/** The finding of the evidence view in one or two sentences. */
export function evidenceSentence(parts: readonly EvidenceClass[]): string {
  const all = parts.reduce((sum, { count }) => sum + count, 0);
  const [usable, ...others] = parts;
  if (all === 0 || usable === undefined) return 'No browser has sent a sample in this range.';
  const head = `${formatShare(usable.share)} of ${plural(all, 'sample')} can be timed.`;
  const named = others.slice(0, 2).map(({ label, share }) => `${formatShare(share)} ${label}`);
  if (named.length === 0) return head;
  const rest = others.slice(2).reduce((sum, { share }) => sum + share, 0);
  const tail =
    rest === 0 ? '' : `, ${formatShare(rest)} for ${others.length - 2 === 1 ? 'another reason' : 'other reasons'}`;
  return `${head} The rest is counted but not timed: ${named.join(', ')}${tail}.`;
}

export function classesTable(parts: readonly EvidenceClass[]): TableDocument {
  return {
    title: 'All samples by class',
    columns: [
      column('label', 'Class', 'text'),
      column('count', 'Samples', 'count'),
      column('share', 'Share', 'share'),
      column('meaning', 'What it means', 'text'),
    ],
    rows: parts.map(({ label, count, share, meaning }) => ({ label, count, share, meaning })),
    notes: [],
  };
}

export function cellsTable(cells: readonly EvidenceCell[]): TableDocument {
  return {
    title: 'By host and type',
    columns: [
      column('host', 'Host', 'text'),
      column('type', 'Type', 'text'),
      column('samples', 'Samples', 'count'),
      column('browsers', 'Browsers', 'count'),
      column('usable', 'Usable', 'share'),
      column('opaque', 'Opaque', 'share'),
      column('cache', 'Cache', 'share'),
      column('excluded', 'Excluded', 'share'),
      column('why', 'Reasons for exclusion', 'text'),
    ],
    rows: cells.map(({ host = null, type = null, samples, browsers, evidence }) => {
      const reasons = Object.entries(evidence.excluded).sort(([, a], [, b]) => b - a);
      const excluded = reasons.reduce((sum, [, count]) => sum + count, 0);
      const of = (count: number) => (samples === 0 ? null : count / samples);
      return {
        host,
        type,
        samples,
        browsers,
        usable: of(evidence.usable),
        opaque: of(evidence.opaque),
        cache: of(evidence.cache),
        excluded: of(excluded),
        why: reasons.map(([reason, count]) => `${wordFor(t.exclusions, reason)} ${formatCount(count)}`).join(', '),
      };
    }),
    notes: [],
  };
}

/** Times that the browser did not report for usable samples, by phase and reason. */
export function unknownTable(cells: readonly EvidenceCell[]): TableDocument {
  const counts = new Map<string, { time: string; reason: string; count: number }>();
  for (const { unknown } of cells) {
    for (const [time, reasons] of Object.entries(unknown)) {
      for (const [reason, count] of Object.entries(reasons)) {
        const id = `${time} ${reason}`;
        const entry = counts.get(id) ?? { time, reason: wordFor(t.unknown, reason), count: 0 };
        counts.set(id, { ...entry, count: entry.count + count });
      }
    }
  }
  return {
    title: 'Unknown times in usable samples',
    columns: [column('time', 'Time', 'text'), column('reason', 'Reason', 'text'), column('count', 'Samples', 'count')],
    rows: [...counts.values()].sort((a, b) => b.count - a.count),
    notes: ['Unknown is never counted as 0. A reused connection has no dns, tcp or tls to measure; that is not a gap.'],
  };
}
