import type { Sample } from '../sample/sample.ts';
import type { Scenario } from '../sample/vocabulary.ts';

/** Which of the four comparable situations a sample belongs to; null where its connection was neither new nor reused. */
export function scenarioOf({ scheme, connection }: Pick<Sample, 'scheme' | 'connection'>): Scenario | null {
  return connection === 'new' || connection === 'reused' ? `${scheme}-${connection}` : null;
}
