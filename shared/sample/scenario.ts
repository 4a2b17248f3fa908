import type { Scenario } from '../vocabulary/vocabulary.ts';
import type { Sample } from './sample.ts';

/** The sample's scenario; null if it is none of the four. Derived in the same way for real traffic and probes. */
export function toScenario(sample: Pick<Sample, 'scheme' | 'connection'>): Scenario | null {
  const { scheme, connection } = sample;
  return connection === 'new' || connection === 'reused' ? `${scheme}-${connection}` : null;
}

/** The scenario, with `-full` or `-resumed` where the handshake is known: what views print. */
export function toScenarioLabel(sample: Pick<Sample, 'scheme' | 'connection' | 'handshake'>): string | null {
  const scenario = toScenario(sample);
  return scenario === 'https-new' && sample.handshake !== 'unknown' ? `${scenario}-${sample.handshake}` : scenario;
}
