import { PHASES, type Phase } from '../../shared/vocabulary/time-names.ts';
import type { SummaryCell, VerdictWord } from '../analysis/summary/summary-document.ts';
import type { Texts } from '../analysis/text/english.ts';
import { explainUnknown } from '../analysis/text/unknown-reason.ts';

/**
 * One piece of the average request: a share of the verdict, or the phases that it could not divide. `rest` is what no phase
 * accounts for, because phases were unknown.
 */
export interface AveragePiece {
  readonly part: VerdictPart | Phase | 'rest';
  /** Of colours.css; parts of the verdict have the colours of its badge. */
  readonly colour: Phase | 'rest';
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly value: number;
}

/** One phase on its own: never stacked, since medians of parts do not add up to the median. */
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
  /** The median is shorter than these browsers' clocks can measure. */
  readonly belowClockStep: boolean;
}

export interface PhaseBars {
  readonly mean: number;
  readonly median: number;
  readonly n: number;
  readonly pieces: readonly AveragePiece[];
  readonly lines: readonly PhaseLine[];
  /** Why the pieces do not end at the mean; null if they do. */
  readonly note: string | null;
}

/** A smaller share of the average is not worth a sentence. */
const NOTED = 0.01;
/** Smaller remainders are rounding, not missing evidence, ms. */
const ROUNDING = 0.05;

const PER_CONNECTION: readonly Phase[] = ['dns', 'tcp', 'tls'];

/** Null if nothing was usable. */
export function phaseBars(cell: SummaryCell, texts: Texts): PhaseBars | null {
  const { ttlb } = cell.phases;
  if (ttlb === null) return null;
  const pieces = stackPieces(cell, texts);
  const reached = pieces.at(-1)?.to ?? 0;
  const rest = ttlb.mean - reached;
  if (rest > ROUNDING) {
    pieces.push({
      part: 'rest',
      colour: 'rest',
      label: texts.chart.notAttributed,
      from: reached,
      to: ttlb.mean,
      value: rest,
    });
  }
  return {
    mean: ttlb.mean,
    median: ttlb.median,
    n: ttlb.n,
    pieces,
    lines: PHASES.map((phase) => phaseLine(cell, phase, texts)),
    note: noteOf(rest, ttlb.mean, texts.chart),
  };
}

type VerdictPart = Exclude<VerdictWord, 'unknown'>;

/** The phase whose colour a part of the verdict has, in badges, bars and charts; in the order of a request. */
export const VERDICT_COLOURS = {
  client: 'blocked',
  network: 'tcp',
  tls: 'tls',
  server: 'wait',
  download: 'receive',
} as const satisfies Record<VerdictPart, Phase>;
export const VERDICT_PARTS = Object.entries(VERDICT_COLOURS) as [VerdictPart, Phase][];

function stackPieces(cell: SummaryCell, { phases, verdicts, chart }: Texts): AveragePiece[] {
  const mean = cell.phases.ttlb?.mean ?? 0;
  const pieces: AveragePiece[] = [];
  let from = 0;
  const add = (piece: Pick<AveragePiece, 'part' | 'colour' | 'label'>, value: number | null) => {
    if (value === null || value <= 0) return;
    pieces.push({ ...piece, from, to: from + value, value });
    from += value;
  };
  for (const [part, colour] of VERDICT_PARTS) {
    const share = cell.verdict.shares?.[part] ?? null;
    if (share !== null) {
      add({ part, colour, label: verdicts[part] }, share * mean);
      continue;
    }
    // The phases of a part without a share: the network has the lookup too.
    for (const phase of part === 'network' ? (['dns', 'tcp'] as const) : [colour]) {
      const label = phase === 'wait' ? chart.undivided : phases[phase];
      add({ part: phase, colour: phase, label }, meanPerRequest(cell, phase));
    }
  }
  return pieces;
}

/**
 * Mean over all requests of the cell, so that the pieces end at mean ttlb. A phase that is known for only some of
 * them is scaled down to its part; the remainder is shown as not attributed.
 */
function meanPerRequest(cell: SummaryCell, phase: Phase): number | null {
  if (phase === 'dns' || phase === 'tcp' || phase === 'tls') return cell.perRequest[phase];
  const statistics = cell.phases[phase];
  const all = cell.phases.ttlb;
  if (statistics === null || all === null || all.n === 0) return null;
  return (statistics.mean * Math.min(statistics.n, all.n)) / all.n;
}

function phaseLine(cell: SummaryCell, phase: Phase, texts: Texts): PhaseLine {
  const statistics = cell.phases[phase];
  return {
    phase,
    label: texts.phases[phase],
    perConnection: PER_CONNECTION.includes(phase),
    n: statistics?.n ?? 0,
    median: statistics?.median ?? null,
    mean: statistics?.mean ?? null,
    p25: statistics?.p25 ?? null,
    p75: statistics?.p75 ?? null,
    reason: statistics === null ? explainUnknown(cell, phase, texts) : null,
    belowClockStep: statistics?.belowClockStep === true && statistics.median !== 0,
  };
}

function noteOf(rest: number, mean: number, { unknownPhase, partlyKnown }: Texts['chart']): string | null {
  if (Math.abs(rest) <= Math.max(ROUNDING, NOTED * mean)) return null;
  return rest > 0 ? unknownPhase : partlyKnown;
}
