import type { Phase } from '../../../shared/vocabulary/time-names.ts';
import type { SummaryCell } from '../summary/summary-document.ts';
import type { Texts } from './english.ts';
import { wordFor } from './word-for.ts';

const SETUP_PHASES: readonly string[] = ['dns', 'tcp', 'tls'];

/**
 * Why a time of a cell has no statistics, in words. On reused connections there is no `dns`, `tcp` or `tls` to measure;
 * that is not missing evidence, and is given only if no other reason is known.
 */
export function explainUnknown(
  cell: SummaryCell,
  time: Phase | 'ttlb' | 'setup',
  { chart, unknown, numbers }: Texts,
): string {
  const { usable, opaque, cache, excluded } = cell.evidence;
  if (usable === 0) {
    const left = Object.values(excluded).reduce((sum, count) => sum + count, 0);
    return chart.nothingUsable(opaque, cache, left);
  }
  const counts = Object.hasOwn(cell.unknown, time) ? (cell.unknown[time] ?? {}) : {};
  const reasons = Object.entries(counts).sort(([, one], [, other]) => other - one);
  if (reasons.length > 0) {
    return reasons.map(([reason, count]) => `${wordFor(unknown, reason)} (${numbers.count(count)})`).join(', ');
  }
  const newConnections = cell.connections.new ?? 0;
  return (time === 'setup' || SETUP_PHASES.includes(time)) && newConnections === 0 ? chart.reused : chart.notMeasured;
}
