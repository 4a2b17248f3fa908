import type { FindingKind } from '../findings/finding.ts';
import { numberWords } from './numbers.ts';

const { amount, count, limit, upTo, wholeShare } = numberWords('en');
const ms = (value: number) => `${amount(value)} ms`;
const site = (name: string | null) => name ?? '(no site)';
const DAY = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' });
/** @param iso `2026-11-08` */
const day = (iso: string | null) => (iso === null ? '' : DAY.format(Date.parse(iso)));
const hours = ([from, to]: readonly [number, number]) => `from ${from}:00 to ${to}:00`;

/** The values in a finding's sentences, besides the facts of its kind. */
export interface FindingSubject {
  /** Ends with a separator, as the subject that follows needs it; empty if no app is named. */
  readonly app: string;
  /** Empty if no host is named. */
  readonly host: string;
  readonly path: string | null;
  /** The site. */
  readonly place: string | null;
  readonly period: readonly [number, number];
  readonly since: string | null;
  readonly perRequestMs: number;
}

/** What each kind's sentences say, of its finding's facts. */
interface FactsByKind {
  readonly slow_server: 'waitMs' | 'peersMs';
  readonly slow_third_party: 'waitMs' | 'peersMs';
  readonly slow_hours: 'factor';
  readonly packet_loss: 'lossShare' | 'connects';
  readonly early_close: 'idleMs';
  readonly full_handshakes: 'perHandshakeMs';
  readonly inspection: never;
  readonly far_site: 'connectMs' | 'elsewhereMs';
  readonly slow_dns: 'lookupMs' | 'elsewhereMs';
  readonly large_download: 'bytes' | 'receiveMs';
  readonly queueing: 'blockedMs';
  readonly cold_cache: 'cachedShare' | 'elsewhereShare';
  readonly slow_browser: 'blockedMs';
  readonly busy_line: 'factor';
  readonly errors: 'errorShare' | 'days';
  readonly redirects: 'redirectedShare';
  readonly change: 'beforeMs' | 'afterMs';
}

export interface FindingWords<Fact extends string> {
  /** What users wait for, and where. */
  title(of: FindingSubject & Readonly<Record<Fact, number>>): string;
  /** Whose it is, and what to do. */
  action(of: FindingSubject & Readonly<Record<Fact, number>>): string;
}

type WordsByKind = { readonly [Kind in FindingKind]: FindingWords<FactsByKind[Kind]> };

interface MoreWords {
  saves(saving: {
    readonly savedShare: number;
    readonly interval: readonly [number, number];
    readonly affectedRequests: number;
    readonly affectedShare: number;
    readonly browsersShare: number | null;
    readonly perRequestMs: number;
  }): string;
}

/** Each finding as a title and what to do about it, in English; see `GERMAN_FINDINGS`. */
export const ENGLISH_FINDINGS: WordsByKind & { readonly more: MoreWords } = {
  slow_server: {
    title: ({ app, host, path, waitMs, peersMs }) =>
      path === null
        ? `${app}${host} is slow to answer everything: ${ms(waitMs)} on average, against ${ms(peersMs)} elsewhere`
        : `${app}${host}${path} takes ${ms(waitMs)} to answer; similar requests take ${ms(peersMs)}`,
    action: ({ path }) =>
      path === null
        ? 'For the server team: find out what it waits for, such as its CPU, its database or a service behind it.'
        : 'For the app’s developers: find out what the server computes for this request, and what can be cached or dropped.',
  },
  slow_third_party: {
    title: ({ app, host, path, waitMs, peersMs }) =>
      `${app}${host}${path ?? ''}, a third party, takes ${ms(waitMs)}; similar requests take ${ms(peersMs)}`,
    action: () => 'For the app’s developers: load it later, host it yourselves, or talk to its provider.',
  },
  slow_hours: {
    title: ({ app, host, period, factor }) =>
      `${app}${host} takes ${upTo(factor, 1)} times as long ${hours(period)} as at other hours`,
    action: () => 'For the server team: see what else runs at that time, or give it more capacity.',
  },
  packet_loss: {
    title: ({ app, host, place, lossShare, connects }) =>
      `${host === '' ? `Site ${site(place)}` : `${app}${host}`} loses packets: ${wholeShare(lossShare)} of ${count(connects)} connects had to be retried after a second or more`,
    action: ({ host }) =>
      host === ''
        ? 'For the network team: check the site’s line and what is between it and the data centre.'
        : 'For the network team: check the path to this host, its load balancer and its backlog.',
  },
  early_close: {
    title: ({ app, host, idleMs }) =>
      `${app}${host} closes connections after ${limit(idleMs)} without a request, before users carry on`,
    action: () => 'For the server team: set its keep-alive timeout to a minute or more.',
  },
  full_handshakes: {
    title: ({ app, host, since, perHandshakeMs }) =>
      `${app}${host} has resumed no TLS sessions${since === null ? '' : ` since ${day(since)}`}; each full handshake takes ${ms(perHandshakeMs)} more`,
    action: () => 'For the server team: turn session tickets on, with one key for all of its instances.',
  },
  inspection: {
    title: ({ place }) => `At site ${site(place)}, a proxy decrypts all TLS connections`,
    action: () => 'For the network team: exempt your own apps from TLS inspection there.',
  },
  far_site: {
    title: ({ place, connectMs, elsewhereMs }) =>
      `Site ${site(place)} is far away: opening a connection takes ${ms(connectMs)}, elsewhere ${ms(elsewhereMs)}`,
    action: () =>
      'For the network team: see whether its traffic takes a detour; otherwise serve the site from nearby, for example through a CDN.',
  },
  slow_dns: {
    title: ({ place, lookupMs, elsewhereMs }) =>
      `At site ${site(place)}, a name lookup takes ${ms(lookupMs)}, elsewhere ${ms(elsewhereMs)}`,
    action: () => 'For the network team: check the DNS servers that the site’s computers use.',
  },
  large_download: {
    title: ({ app, host, path, bytes, receiveMs }) =>
      `${app}${host}${path ?? ''} is ${upTo(bytes / 1e6, 1)} MB: receiving it takes ${ms(receiveMs)}`,
    action: () => 'For the app’s developers: send less at once, compress it, or let browsers cache it.',
  },
  queueing: {
    title: ({ app, host, path, blockedMs }) =>
      `${app}${host}${path ?? ''} still uses HTTP/1.1: its requests queue for ${ms(blockedMs)} in the browser`,
    action: () => 'For the server team: enable HTTP/2, or have the page request fewer files at once.',
  },
  cold_cache: {
    title: ({ app, cachedShare, elsewhereShare }) =>
      `${app}scripts and styles are fetched every time: ${wholeShare(cachedShare)} come from the browser’s cache, against ${wholeShare(elsewhereShare)} in other apps`,
    action: () => 'For the server team: let browsers cache them, with Cache-Control.',
  },
  slow_browser: {
    title: ({ place, blockedMs }) => `One browser at site ${site(place)} delays each request by ${ms(blockedMs)}`,
    action: () => 'For user support: look for an extension or security software on that computer.',
  },
  busy_line: {
    title: ({ place, period, factor }) =>
      `The line of site ${site(place)} is saturated ${hours(period)}: receiving takes ${upTo(factor, 1)} times as long`,
    action: () => 'For the network team: see what fills the line at that time, or upgrade it.',
  },
  errors: {
    title: ({ app, host, errorShare, since, days }) =>
      `${app}${host} answered ${wholeShare(errorShare)} of its requests with errors ${days > 1 ? `on ${count(days)} days from ${day(since)} on` : `on ${day(since)}`}`,
    action: () => 'For the server team: check its logs of that time.',
  },
  redirects: {
    title: ({ app, host, perRequestMs, redirectedShare }) =>
      `${app}${wholeShare(redirectedShare)} of the pages of ${host} are reached through redirects, which take ${ms(perRequestMs)}`,
    action: () => 'For the app’s developers: link to the address where the redirects end.',
  },
  change: {
    title: ({ app, host, since, beforeMs, afterMs }) =>
      `${app}${host} got ${afterMs > beforeMs ? 'slower' : 'faster'} on ${day(since)}: ${ms(afterMs)} instead of ${ms(beforeMs)}`,
    action: () => 'For the app’s developers: see what was released that day.',
  },
  more: {
    saves: ({
      savedShare: share,
      interval: [low, high],
      affectedRequests,
      affectedShare,
      browsersShare,
      perRequestMs,
    }) =>
      `Affects ${count(affectedRequests)} requests (${wholeShare(affectedShare)} of network requests)${browsersShare === null ? '' : ` from ${wholeShare(browsersShare)} of browsers`}, each ${ms(perRequestMs)} longer: ${upTo(share * 100, 1)} % of the total time (${upTo(low * 100, 1)} to ${upTo(high * 100, 1)} %).`,
  },
};
