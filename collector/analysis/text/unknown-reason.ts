import type { Phase } from '../../../shared/vocabulary/time-names.ts';
import type { SummaryCell } from '../summary/summary-document.ts';
import { formatCount, plural } from './format.ts';
import { UNKNOWN_WORDS, wordFor } from './words.ts';

const SETUP_PHASES: readonly string[] = ['dns', 'tcp', 'tls'];

/**
 * Why a time of a cell has no statistics, in words. Reused connections give `dns`, `tcp` and `tls` nothing to
 * measure, which is no gap in the evidence: it is said first.
 */
export function explainUnknown(cell: SummaryCell, time: Phase | 'ttlb' | 'setup'): string {
  if (cell.evidence.usable === 0) return explainNoEvidence(cell);
  const reasons = reasonCounts(cell, time);
  if (reasons.length > 0) return reasons.map(([reason, count]) => `${reason} (${formatCount(count)})`).join(', ');
  const newConnections = cell.connections.new ?? 0;
  if ((time === 'setup' || SETUP_PHASES.includes(time)) && newConnections === 0) {
    return 'no new connection: all were reused';
  }
  return 'not measured';
}

/** Reasons with their number of samples, most frequent first. */
function reasonCounts(cell: SummaryCell, time: string): readonly (readonly [string, number])[] {
  const counts = Object.hasOwn(cell.unknown, time) ? (cell.unknown[time] ?? {}) : {};
  return Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([reason, count]) => [wordFor(UNKNOWN_WORDS, reason), count] as const);
}

function explainNoEvidence(cell: SummaryCell): string {
  const { opaque, cache, excluded } = cell.evidence;
  const left = Object.values(excluded).reduce((sum, count) => sum + count, 0);
  const parts: string[] = [];
  if (opaque > 0) parts.push(`${plural(opaque, 'sample')} hidden by the browser (no Timing-Allow-Origin)`);
  if (cache > 0) parts.push(`${formatCount(cache)} from the cache`);
  if (left > 0) parts.push(`${formatCount(left)} excluded`);
  return `nothing usable: ${parts.length > 0 ? parts.join(', ') : 'no samples'}`;
}
