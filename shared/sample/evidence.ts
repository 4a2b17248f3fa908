import type { Exclusion } from '../vocabulary/vocabulary.ts';
import type { Sample } from './sample.ts';

/** The class a sample counts in: samples = usable + opaque + cache + Σ excluded. */
export type EvidenceClass = 'usable' | 'opaque' | 'cache' | Exclusion;

/** A sample's evidence class. What the browser hid or cached comes first: no other rule could have made it usable. */
export function toEvidenceClass({ connection, excluded }: Pick<Sample, 'connection' | 'excluded'>): EvidenceClass {
  if (connection === 'opaque' || connection === 'cache') return connection;
  if (excluded !== null) return excluded;
  // Samples from other sources (HAR files, older extensions) may lack the reason; these two never have usable times.
  return connection === 'worker' || connection === 'failed' ? connection : 'usable';
}
