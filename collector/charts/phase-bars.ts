import { PHASES, type Phase } from '../../shared/vocabulary/time-names.ts';
import type { SummaryCell } from '../analysis/summary/summary-document.ts';
import { explainUnknown } from '../analysis/text/unknown-reason.ts';
import { PHASE_LABELS } from '../analysis/text/words.ts';

/** One piece of the average request. `rest` is what no phase accounts for, because phases were unknown. */
export interface AveragePiece {
  readonly part: Phase | 'rest';
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly value: number;
}

/** One phase by itself: medians are never stacked, because medians of parts do not add up to the median. */
export interface PhaseLine {
  readonly phase: Phase;
  readonly label: string;
  /** dns, tcp and tls count new connections only: "per connection". */
  readonly perConnection: boolean;
  readonly n: number;
  readonly median: number | null;
  readonly mean: number | null;
  readonly p25: number | null;
  readonly p75: number | null;
  readonly reason: string | null;
}

export interface PhaseBars {
  readonly mean: number;
  readonly median: number;
  readonly n: number;
  readonly pieces: readonly AveragePiece[];
  readonly lines: readonly PhaseLine[];
  /** Set where pieces and mean cannot be made to meet, and why. */
  readonly note: string | null;
}

/** Smaller remainders are rounding, not missing evidence, ms. */
const ROUNDING = 0.05;

const PER_CONNECTION: readonly Phase[] = ['dns', 'tcp', 'tls'];

/** Null where nothing was usable. */
export function phaseBars(cell: SummaryCell): PhaseBars | null {
  const { ttlb } = cell.phases;
  if (ttlb === null) return null;
  const pieces = stackPieces(cell);
  const reached = pieces.at(-1)?.to ?? 0;
  const rest = ttlb.mean - reached;
  if (rest > ROUNDING) {
    pieces.push({ part: 'rest', label: 'Not attributed', from: reached, to: ttlb.mean, value: rest });
  }
  return {
    mean: ttlb.mean,
    median: ttlb.median,
    n: ttlb.n,
    pieces,
    lines: PHASES.map((phase) => phaseLine(cell, phase)),
    note: noteOf(rest),
  };
}

function stackPieces(cell: SummaryCell): AveragePiece[] {
  const pieces: AveragePiece[] = [];
  let from = 0;
  for (const phase of PHASES) {
    const value = meanPerRequest(cell, phase);
    if (value === null || value <= 0) continue;
    pieces.push({ part: phase, label: PHASE_LABELS[phase], from, to: from + value, value });
    from += value;
  }
  return pieces;
}

/**
 * Mean over all requests of the cell, so that the pieces end at mean ttlb. A phase that is known for only some of
 * them is scaled down to its part: the remainder is shown as not attributed instead of being guessed.
 */
function meanPerRequest(cell: SummaryCell, phase: Phase): number | null {
  if (phase === 'dns' || phase === 'tcp' || phase === 'tls') return cell.perRequest[phase];
  const statistics = cell.phases[phase];
  const all = cell.phases.ttlb;
  if (statistics === null || all === null || all.n === 0) return null;
  return (statistics.mean * Math.min(statistics.n, all.n)) / all.n;
}

function phaseLine(cell: SummaryCell, phase: Phase): PhaseLine {
  const statistics = cell.phases[phase];
  return {
    phase,
    label: PHASE_LABELS[phase],
    perConnection: PER_CONNECTION.includes(phase),
    n: statistics?.n ?? 0,
    median: statistics?.median ?? null,
    mean: statistics?.mean ?? null,
    p25: statistics?.p25 ?? null,
    p75: statistics?.p75 ?? null,
    reason: statistics === null ? explainUnknown(cell, phase) : null,
  };
}

function noteOf(rest: number): string | null {
  if (rest > ROUNDING) return 'The hatched end is time whose phase is unknown.';
  if (rest < -ROUNDING) return 'Some phases are known for a part of the requests only, so the pieces pass the average.';
  return null;
}
