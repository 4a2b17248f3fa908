import { CONNECTION } from '../../reductions/request-table.ts';
import type { Detector } from './candidate.ts';
import { ANYWHERE } from './finding.ts';
import { type SiteLikes, siteLikes, siteShift } from './site-shift.ts';
import type { Waits } from './waits.ts';

/** Of the requests to hosts that speak HTTP/2 or later everywhere else: a proxy in between speaks one protocol to all of them. */
const MIN_OLDER = 0.8;
const MIN_REQUESTS = 30;
/** Of the certificates seen at the site, where their issuers can be read. */
const MIN_OTHER_ISSUER = 0.8;

/** A proxy at one site that opens every TLS connection: another issuer there, or an older protocol, on all hosts. */
export const findInspection: Detector = (waits) => {
  const isOld = (code: number) => waits.table.protocols[code] === 'http/1.1';
  // Hosts that speak HTTP/1.1 anyway say nothing.
  const protocols = differentThere(waits, waits.table.protocol, isOld, isOld);
  const issuers = differentThere(
    waits,
    waits.table.issuer,
    () => true,
    () => false,
  );
  // Only where it is needed: they take longer than everything else here.
  let likes: SiteLikes | null = null;
  return waits.sites.flatMap((name, place) => {
    const older = protocols[place] as Different;
    const other = issuers[place] as Different;
    const isOlder = older.of >= MIN_REQUESTS && older.hosts > 1 && older.there >= MIN_OLDER * older.of;
    const isOther = other.of >= MIN_REQUESTS && other.hosts > 1 && other.there >= MIN_OTHER_ISSUER * other.of;
    if (!isOlder && !isOther) return [];
    likes ??= siteLikes(waits);
    const shift = siteShift(waits, likes, place);
    const { sums } = shift;
    return [
      {
        kind: 'inspection' as const,
        place: { ...ANYWHERE, site: name },
        phase: 'tls' as const,
        since: null,
        facts: { hosts: Math.max(older.hosts, other.hosts), otherIssuer: isOther ? 1 : 0, tlsMs: shift.mean.tls },
        affectedRequests: sums.affected,
        units: sums.units(),
        placeMs: timeIn(waits, 'tls', place),
        cure() {
          shift.cure();
          forget(waits, place);
        },
      },
    ];
  });
};

/** What was waited for in one phase at a site, ms. */
function timeIn({ timed, left, site }: Waits, phase: 'tls', place: number): number {
  let sum = 0;
  for (const row of timed) {
    const ms = left[phase][row] as number;
    if (site[row] === place && !Number.isNaN(ms)) sum += ms;
  }
  return sum;
}

interface Different {
  /** Requests at the site that differ from what the host is elsewhere, and all that could. */
  there: number;
  of: number;
  hosts: number;
}

/** Per site, requests whose value differs from the one that most other sites have for the same host. */
function differentThere(
  { timed, table, host, hosts, site, sites }: Waits,
  values: Int32Array,
  counts: (code: number) => boolean,
  isUsual: (code: number) => boolean,
): Different[] {
  const seen = new Map<number, Map<number, number>>();
  for (const row of timed) {
    const value = values[row] as number;
    const place = site[row] as number;
    if (value < 0 || place < 0 || table.connection[row] === CONNECTION.other) continue;
    const key = (host[row] as number) * sites.length + place;
    const counted = seen.get(key) ?? new Map<number, number>();
    counted.set(value, (counted.get(value) ?? 0) + 1);
    seen.set(key, counted);
  }
  return sites.map((_, place) => {
    const found: Different = { there: 0, of: 0, hosts: 0 };
    for (let one = 0; one < hosts.length; one++) {
      const here = seen.get(one * sites.length + place);
      if (here === undefined) continue;
      const usual = usualElsewhere(seen, one, place, sites.length);
      if (usual === null) continue;
      let there = 0;
      let of = 0;
      for (const [value, count] of here) {
        of += count;
        if (value !== usual && counts(value)) there += count;
      }
      if (isUsual(usual)) continue;
      found.there += there;
      found.of += of;
      if (2 * there > of) found.hosts++;
    }
    return found;
  });
}

function usualElsewhere(
  seen: Map<number, Map<number, number>>,
  host: number,
  place: number,
  sites: number,
): number | null {
  const all = new Map<number, number>();
  for (let other = 0; other < sites; other++) {
    if (other === place) continue;
    for (const [value, count] of seen.get(host * sites + other) ?? []) all.set(value, (all.get(value) ?? 0) + count);
  }
  let usual: number | null = null;
  let most = 0;
  for (const [value, count] of all) if (count > most) [usual, most] = [value, count];
  return usual;
}

function forget({ timed, table, site }: Waits, place: number): void {
  for (const row of timed) {
    if (site[row] !== place) continue;
    table.protocol[row] = -1;
    table.issuer[row] = -1;
  }
}
