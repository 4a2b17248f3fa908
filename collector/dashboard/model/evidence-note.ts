import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import { t } from '../text/t.ts';

const texts = t.overview.evidence;

export interface EvidenceNote {
  /** Usable ÷ all samples, 0…1; null without samples. */
  readonly usableShare: number | null;
  /** `38 usable of 52: 4 from cache, 10 opaque`. */
  readonly text: string;
}

export function noteEvidence(cell: Pick<SummaryCell, 'evidence' | 'samples'>): EvidenceNote {
  const { usable, opaque, cache, excluded } = cell.evidence;
  const left: string[] = [];
  if (cache > 0) left.push(texts.cache(cache));
  if (opaque > 0) left.push(texts.opaque(opaque));
  for (const [reason, count] of Object.entries(excluded)) {
    if (count > 0) left.push(texts.excluded(count, wordFor(t.exclusions, reason)));
  }
  const head = texts.usable(usable, cell.samples);
  return {
    usableShare: cell.samples === 0 ? null : usable / cell.samples,
    text: left.length === 0 ? head : `${head}: ${left.join(', ')}`,
  };
}
