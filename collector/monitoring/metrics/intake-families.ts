import type { BodyMemory } from '../../ingest/admission/body-memory.ts';
import type { ClientQuotas } from '../../ingest/admission/client-quotas.ts';
import { gauge } from './health-families.ts';
import type { MetricFamily } from './metric-family.ts';

/** What is held, what was sent with each key, and what was turned away. Keys by their ids, which are no secrets. */
export function intakeFamilies(
  memory: Pick<BodyMemory, 'held'>,
  accounts: Pick<ClientQuotas, 'keys'>,
  now: number,
  connections: { readonly dropped: number; readonly displaced: number },
): MetricFamily[] {
  const keys = accounts.keys().filter(({ id }) => id !== '');
  return [
    gauge('lastbyte_intake_held_bytes', 'Bodies that are not answered yet.', 'By', [[{}, memory.held]]),
    counter(
      'lastbyte_key_bytes_total',
      'Batches sent with a key, as sent and inflated.',
      'By',
      keys.map(({ id, bytes }) => ({ labels: { key: id }, value: bytes })),
    ),
    counter(
      'lastbyte_key_refused_total',
      'Requests with a key that were told to come back later.',
      '1',
      keys.flatMap(({ id, refused }) =>
        Object.entries(refused).map(([reason, value]) => ({ labels: { key: id, reason }, value })),
      ),
    ),
    gauge(
      'lastbyte_key_quota_used_ratio',
      'Of what a key may store a day beyond the allowances of networks, what it has stored; at 1 no more is taken.',
      '1',
      keys.map(({ id, stored }) => [{ key: id }, stored.all.usedPart(now)]),
    ),
    counter('lastbyte_connections_dropped_total', 'Connections closed beyond the limits.', '1', [
      { labels: {}, value: connections.dropped },
    ]),
    counter('lastbyte_connections_displaced_total', 'Idle connections closed to make room for others.', '1', [
      { labels: {}, value: connections.displaced },
    ]),
  ];
}

export function counter(name: string, help: string, unit: string, series: MetricFamily['series']): MetricFamily {
  return { name, help, type: 'counter', unit, series };
}
