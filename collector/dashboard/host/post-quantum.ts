import type { TlsRow } from '../../questions/tls.ts';
import { formatDifference, formatUnit } from '../text/format.ts';
import { HOST } from '../text/host.ts';

/** From so many handshakes on, medians are compared. */
const MIN_HANDSHAKES = 30;

/** What post-quantum key exchange costs users here, whose ClientHello may fill two packets; null where too few browsers offer both. */
export function describePostQuantum(rows: readonly TlsRow[]): string | null {
  const groups = rows.filter(({ fact, tls }) => fact === 'keyExchange' && (tls?.n ?? 0) >= MIN_HANDSHAKES);
  const quantum = groups.find(({ value }) => value.startsWith('mlkem'));
  const usual = groups.find(({ value }) => !value.startsWith('mlkem'));
  if (quantum?.tls == null || usual?.tls == null || quantum.roundTrips === null || usual.roundTrips === null)
    return null;
  const difference = formatDifference(quantum.tls.median - usual.tls.median);
  const trips = [quantum, usual].map(({ roundTrips }) => formatUnit(roundTrips, 'number')) as [string, string];
  return HOST.postQuantum(difference, usual.value, ...trips);
}
