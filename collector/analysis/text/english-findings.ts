import type { Remedy } from '../findings/finding.ts';
import type { QuantityName } from '../findings/quantities.ts';
import { numberWords } from './numbers.ts';

const { amount, count, limit, smallShare, upTo, wholeShare } = numberWords('en');
const ms = (value: number) => `${amount(value)} ms`;
const DAY = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' });
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
type Span = readonly [number, number];

/** What to do follows from the remedy, and from what changed where. */
export type ActionName = Remedy | 'no_room' | 'faster' | 'drift' | 'path_change' | 'site_change';

/** Where a finding is, in words; null where it says nothing. */
export interface FindingSubject {
  readonly app: string | null;
  readonly host: string | null;
  readonly path: string | null;
  /** Word of the resource type. */
  readonly type: string | null;
  readonly site: string | null;
  readonly client: string | null;
  readonly engine: string | null;
  readonly protocol: string | null;
  readonly hours: Span | null;
  readonly minutes: Span | null;
  readonly weekdays: Span | null;
}

/** The numbers of its title. */
export interface FindingNumbers {
  readonly nowMs: number;
  readonly usualMs: number;
  /** Share of the place's requests in which it occurs, and the usual share, 0…1. */
  readonly share: number;
  readonly usualShare: number;
  /** Share of the place's requests that take longer. */
  readonly partOfPlace: number;
  readonly fromMs?: number;
  readonly bytes?: number;
  readonly idleMs?: number;
  /** Growth of a drift per day, 0.01 for 1 %. */
  readonly perDay?: number;
}

/** Each finding as a title and what to do about it, in English; see `GERMAN_FINDINGS`. */
export const ENGLISH_FINDINGS = {
  everywhere: 'Everywhere',
  where: ({ site, client, engine, protocol, hours, minutes, weekdays }: FindingSubject) => [
    client && 'in one browser',
    site && `at site ${site}`,
    engine && `in ${engine}`,
    protocol && `over ${protocol}`,
    weekdays && onDays(weekdays),
    hours && `from ${hours[0]}:00 to ${hours[1]}:00`,
    minutes && `in minutes ${minutes[0]} to ${minutes[1]} of each hour`,
  ],
  /** `since` and `until` are dates; both null where it holds all the time. */
  during(since: string | null, until: string | null): string {
    if (since === null) return '';
    if (until === null) return `, since ${day(since)}`;
    return since === until ? `, on ${day(since)}` : `, from ${day(since)} to ${day(until)}`;
  },
  level: (quantity: QuantityName, { nowMs, usualMs }: FindingNumbers) =>
    usualMs < LITTLE * nowMs
      ? `${QUANTITIES[quantity]} takes ${ms(nowMs)}`
      : `${QUANTITIES[quantity]} takes ${ms(nowMs)} instead of ${ms(usualMs)}`,
  rate: (quantity: QuantityName, { share, usualShare }: FindingNumbers) =>
    `${wholeShare(share)} of requests ${OCCURS[quantity] ?? ''} instead of ${wholeShare(usualShare)}`,
  drift: (quantity: QuantityName, { perDay = 0 }: FindingNumbers) =>
    `${QUANTITIES[quantity]} takes ${upTo(Math.abs(perDay) * 100, 1)} % ${perDay > 0 ? 'longer' : 'less'} every day; no single day explains it`,
  tail: (quantity: QuantityName, { partOfPlace, fromMs = 0 }: FindingNumbers) =>
    `${smallShare(partOfPlace)} of requests there take ${limit(fromMs)} or more, because of ${QUANTITIES[quantity]}`,
  /** Where there is more to say than what it takes. */
  early_close: ({ idleMs = 0 }: FindingNumbers) =>
    `connections are closed after ${limit(idleMs)} without a request, before users carry on`,
  packet_loss: ({ partOfPlace }: FindingNumbers) =>
    `packets are lost: ${smallShare(partOfPlace)} of connects had to be retried after a second or more`,
  large_download: ({ bytes = 0, nowMs }: FindingNumbers) =>
    `${upTo(bytes / 1e6, 1)} MB for each request, which take ${ms(nowMs)} to receive`,
  held_back: ({ partOfPlace, fromMs = 0 }: FindingNumbers) =>
    `${smallShare(partOfPlace)} of its small answers end ${limit(fromMs)} or more after they began`,
  challenges: ({ share, nowMs }: FindingNumbers) =>
    `${wholeShare(share)} of requests are asked for credentials first, which takes ${ms(nowMs / share)}`,
  actions: {
    slow_server:
      'For the server team: find out what it waits for, such as its CPU, its database or a service behind it.',
    slow_third_party: 'For the app’s developers: load it later, host it yourselves, or talk to its provider.',
    slow_hours: 'For the server team: see what else runs at that time, or give it more capacity.',
    packet_loss: 'For the network team: check the path, the line and what is between it and the data centre.',
    early_close: 'For the server team: set the keep-alive timeout to a minute or more, on the load balancer too.',
    full_handshakes: 'For the server team: turn session tickets on, with one key for all of its instances.',
    inspection: 'For the network team: look for a proxy that inspects TLS there, and exempt your own apps.',
    far_site:
      'For the network team: see whether its traffic takes a detour; otherwise serve the site from nearby, for example through a CDN.',
    slow_dns: 'For the network team: check the DNS servers that these computers use.',
    large_download: 'For the app’s developers: send less at once, compress it, or let browsers cache it.',
    held_back: 'For the server team: look for Nagle’s algorithm (TCP_NODELAY), or a proxy that buffers answers.',
    queueing: 'For the server team: enable HTTP/2, or have the page request fewer files at once.',
    cold_cache: 'For the server team: let browsers cache it, with Cache-Control.',
    no_room:
      'For user support: see whether browsers there can keep files, as with profiles that are deleted or have a quota.',
    slow_browser: 'For user support: look for an extension or security software on that computer.',
    slow_engine: 'For user support: compare with another browser or version, and hold back or roll out the update.',
    busy_line: 'For the network team: see what fills the line at that time, or upgrade it.',
    errors: 'For the server team: check its logs of that time.',
    redirects: 'For the app’s developers: link to the address where the redirects end.',
    challenges:
      'For the server team: ask once for each connection or session, not for each request; see how the proxy and the browsers sign in.',
    unmeasurable:
      'For the app’s developers: see whether a service worker answers them, or whether Timing-Allow-Origin is missing.',
    change: 'For the app’s developers: see what was released that day.',
    path_change:
      'For the network team: see what changed that day, such as an address of the host, a firewall or a load balancer.',
    site_change:
      'For the network team: see what changed at the site that day, such as its line, its route or security software.',
    drift: 'For the server team: look for what grows, such as a table without an index or a disk that fills.',
    slow_group: 'For the server team: compare a slow request with its like; it may be one of several servers.',
    faster: 'Good news: nothing to do.',
  } satisfies Record<ActionName, string>,
  saves: ({
    direction,
    savedShare,
    interval: [low, high],
    affectedRequests,
    affectedShare,
    browsersShare,
    perRequestMs,
  }: FindingSaving) =>
    `Affects ${count(affectedRequests)} requests (${wholeShare(affectedShare)} of network requests)${browsersShare === null ? '' : ` from ${wholeShare(browsersShare)} of browsers`}${savedShare === 0 ? '' : `, each ${ms(perRequestMs)} ${direction === 'slower' ? 'longer' : 'shorter'}: ${upTo(savedShare * 100, 1)} % of the total time (${upTo(low * 100, 1)} to ${upTo(high * 100, 1)} %)`}.`,
};

export interface FindingSaving {
  readonly direction: 'slower' | 'faster';
  readonly savedShare: number;
  readonly interval: readonly [number, number];
  readonly affectedRequests: number;
  readonly affectedShare: number;
  readonly browsersShare: number | null;
  readonly perRequestMs: number;
}

/** Less of it is not worth comparing with. */
const LITTLE = 0.02;

const QUANTITIES: Readonly<Record<QuantityName, string>> = {
  blocked: 'queueing in the browser',
  dns: 'a name lookup',
  tcp: 'opening a connection',
  tls: 'the TLS handshake',
  wait: 'the server’s answer',
  receive: 'the download',
  redirect: 'being redirected',
  challenged: 'being asked for credentials',
  ttlb: 'a request',
  new_connections: 'opening connections',
  cached: 'fetching what could be cached',
  unmeasurable: 'what can’t be measured',
  errors: 'failing',
};

const OCCURS: Readonly<Partial<Record<QuantityName, string>>> = {
  new_connections: 'open a connection',
  cached: 'are fetched, not taken from the browser’s cache,',
  unmeasurable: 'can’t be measured',
  errors: 'fail',
};

function onDays([from, to]: Span): string {
  const [first, last] = [WEEKDAYS[from], WEEKDAYS[to - 1]];
  return first === last ? `on ${first}s` : `from ${first} to ${last}`;
}

/** @param iso `2026-11-08` */
function day(iso: string): string {
  return DAY.format(Date.parse(iso));
}
