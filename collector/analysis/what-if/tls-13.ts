import { CONNECTION, HANDSHAKE, TLS } from '../../reductions/request-table.ts';
import type { Waits } from '../findings/waits.ts';
import { SavedTime, type Units } from './saved-time.ts';
import { MIN_REQUESTS, type Saving, unknownSaving } from './saving.ts';

/** A handshake of two round trips takes at least this many connects of one. */
const TWO_ROUND_TRIPS = 1.5;
const REMEDY = { remedy: 'tls_13' } as const;

/**
 * TLS 1.3 takes one round trip less than a full handshake of TLS 1.2. Chromium starts early (False Start, RFC 7918) and resumed sessions
 * take one round trip in both versions, so only full handshakes of Firefox get faster. Firefox alone reports the version.
 */
export function predictTls13(waits: Waits, units: Units, minBrowsers: number): Saving {
  const { timed, table, left } = waits;
  const saved = new SavedTime(waits, units);
  let [handshakes, told, before13] = [0, 0, 0];
  for (const row of timed) {
    const [tcp, tls] = [left.tcp[row] as number, left.tls[row] as number];
    if (table.connection[row] !== CONNECTION.new || Number.isNaN(tls)) continue;
    handshakes++;
    if (table.tls[row] === TLS.unknown) continue;
    told++;
    if (table.tls[row] !== TLS.before13) continue;
    before13++;
    if (table.handshake[row] !== HANDSHAKE.resumed && tls >= TWO_ROUND_TRIPS * tcp) saved.add(row, tcp);
  }
  if (told < MIN_REQUESTS) {
    return unknownSaving(REMEDY, handshakes < MIN_REQUESTS ? 'too_few_requests' : 'tls_version_unknown');
  }
  return saved.saving({ ...REMEDY, facts: { handshakes: told, before13 } }, minBrowsers);
}
