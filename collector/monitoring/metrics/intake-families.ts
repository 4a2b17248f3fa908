import type { AdmissionControl } from '../../ingest/admission/admission.ts';
import { counter, gauge, type MetricFamily } from './metric-family.ts';

/** Bodies held, and bytes and refusals by key. Keys are named by their ids, which are not secret. */
export async function intakeFamilies(
  admission: Pick<AdmissionControl, 'memory' | 'keys' | 'quotaUse'>,
  connectionsDropped: number,
): Promise<MetricFamily[]> {
  const keys = [...admission.keys].filter(([id]) => id !== '');
  const quotas = await Promise.all(keys.map(async ([id]) => [{ key: id }, await admission.quotaUse(id)] as const));
  return [
    gauge('lastbyte_intake_held_bytes', 'Request bodies without a response yet.', 'By', [[{}, admission.memory.held]]),
    counter(
      'lastbyte_key_bytes_total',
      'Batches sent with a key, as sent and inflated.',
      'By',
      keys.map(([id, { bytes }]) => [{ key: id }, bytes]),
    ),
    counter(
      'lastbyte_key_refused_total',
      'Requests with a key that have to be repeated later.',
      '1',
      keys.flatMap(([id, { refused }]) =>
        Object.entries(refused).map(([reason, value]) => [{ key: id, reason }, value] as const),
      ),
    ),
    gauge(
      'lastbyte_key_quota_used_ratio',
      'Used fraction of what a key may store per day beyond the allowances of networks; at 1 nothing more is accepted.',
      '1',
      quotas,
    ),
    counter('lastbyte_connections_dropped_total', 'Connections closed beyond the limits.', '1', [
      [{}, connectionsDropped],
    ]),
  ];
}

/** Responses held until their clients read them, and the clients that were too slow. */
export function unsentFamilies({ held, refused, slow }: Record<'held' | 'refused' | 'slow', number>): MetricFamily[] {
  return [
    gauge('lastbyte_unsent_answer_bytes', 'Responses that their clients have not read yet.', 'By', [[{}, held]]),
    counter('lastbyte_unsent_refused_total', 'Requests refused because their client leaves responses unread.', '1', [
      [{}, refused],
    ]),
    counter('lastbyte_slow_readers_total', 'Responses and exports ended because they were read too slowly.', '1', [
      [{}, slow],
    ]),
  ];
}
