import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import { formatCount } from '../text/format.ts';
import { t } from '../text/t.ts';

export interface EvidenceNote {
  /** Usable ÷ all samples, 0…1; null without samples. */
  readonly usableShare: number | null;
  /** `38 usable of 52: 4 from cache, 10 opaque`. */
  readonly text: string;
}

export function noteEvidence(cell: Pick<SummaryCell, 'evidence' | 'samples'>): EvidenceNote {
  const { usable, opaque, cache, excluded } = cell.evidence;
  const left: string[] = [];
  if (cache > 0) left.push(`${formatCount(cache)} from cache`);
  if (opaque > 0) left.push(`${formatCount(opaque)} opaque`);
  for (const [reason, count] of Object.entries(excluded)) {
    if (count > 0) left.push(`${formatCount(count)} ${wordFor(t.exclusions, reason)}`);
  }
  const head = `${formatCount(usable)} usable of ${formatCount(cell.samples)}`;
  return {
    usableShare: cell.samples === 0 ? null : usable / cell.samples,
    text: left.length === 0 ? head : `${head}: ${left.join(', ')}`,
  };
}
