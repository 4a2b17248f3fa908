import type { UnknownReason } from '../../../shared/vocabulary/vocabulary.ts';
import { OF_ENGINE } from '../../analysis/summary/summary-document.ts';
import type { CellAggregate } from '../../reductions/cell-aggregate.ts';

/** Reasons that only one engine has: of a group with one Firefox they would count what that one did. */
const ENGINE_REASONS: ReadonlySet<string> = new Set<UnknownReason>([
  'preconnected',
  'begun_earlier',
  'queued',
  'firefox_dns',
  'firefox_tls13',
]);

type Reasons = CellAggregate['unknown'];

/** Why times are unknown, as it is told: where small groups are folded, no reason names an engine. */
export function toldReasons(
  unknown: Reasons,
  foldBelow: number,
): Readonly<Record<string, Readonly<Record<string, number>>>> {
  if (foldBelow <= 1) return unknown as Readonly<Record<string, Record<string, number>>>;
  return Object.fromEntries(
    Object.entries(unknown).map(([time, reasons]) => {
      const told: Record<string, number> = {};
      for (const [reason, count] of Object.entries(reasons)) {
        const word = ENGINE_REASONS.has(reason) ? OF_ENGINE : reason;
        told[word] = (told[word] ?? 0) + count;
      }
      return [time, told];
    }),
  );
}
