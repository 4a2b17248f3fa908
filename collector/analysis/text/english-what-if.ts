import type { Remedy, WhatIfReason } from '../what-if/saving.ts';
import { numberWords } from './numbers.ts';

const { amount, count, limit, share: shareOf, upTo, wholeShare } = numberWords('en');
const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const percent = (share: number) => `${upTo(share * 100, 1)} %`;
const within = ([low, high]: readonly [number, number]) => `${upTo(low * 100, 1)} to ${percent(high)}`;

/** Facts in the sentences of a saving, those that its remedy does not have as NaN. */
export const NO_FACTS = {
  ...{ full: Number.NaN, before13: Number.NaN, http1Requests: Number.NaN, slowShare: Number.NaN, fromMs: Number.NaN },
  ...{ fartherMs: Number.NaN, opaqueShare: Number.NaN, hiddenShare: Number.NaN },
};
export type WhatIfSubject = Readonly<
  typeof NO_FACTS & Record<'site' | 'nearSite', string> & Record<'seconds' | 'affected', number>
>;

interface WhatIfWords {
  /** What would be done. */
  title(of: WhatIfSubject): string;
  /** Why nothing would be saved. */
  nothing(of: WhatIfSubject): string;
  readonly assumption: string;
}

interface WhatIfMoreWords {
  /** Of a keep-alive timeout. @param at start of the day, epoch ms */
  since(at: number): string;
  saves(share: number, interval: readonly [number, number], affected: number, perRequestMs: number): string;
  /** The same where users would wait longer. */
  costs(share: number, interval: readonly [number, number], affected: number, perRequestMs: number): string;
  /** The same where it rounds to nothing. */
  hardly(affected: number): string;
  shows(of: WhatIfSubject): string;
  readonly reasons: Readonly<Record<WhatIfReason, string>>;
}

export type WhatIfTexts = Readonly<Record<Remedy, WhatIfWords>> & { readonly more: WhatIfMoreWords };

/** What each remedy is, why it would save nothing, and what its prediction assumes; see `GERMAN_WHAT_IF`. */
export const ENGLISH_WHAT_IF: WhatIfTexts = {
  keep_alive: {
    title: ({ seconds }) => `A keep-alive timeout of ${count(seconds)} s`,
    nothing: () => 'Nothing: the same connections would be opened.',
    assumption:
      'Users pause as they do now, and connections are closed only because they are idle. Chromium closes them after 5 minutes, Firefox after 115 s.',
  },
  session_tickets: {
    title: () => 'If TLS sessions were resumed',
    nothing: ({ full }) =>
      full === 0
        ? 'Nothing: every handshake was resumed.'
        : 'Nothing: no browser had a session to resume when it made a full handshake.',
    assumption:
      'A browser that comes back within an hour resumes its session, which takes one round trip. With TLS 1.2, Firefox can do so once after each full handshake.',
  },
  tls_13: {
    title: () => 'TLS 1.3',
    nothing: ({ before13 }) =>
      before13 === 0
        ? 'Nothing: it is already in use.'
        : 'Nothing: no handshake takes a round trip longer than it would with TLS 1.3.',
    assumption:
      'Only full handshakes in Firefox save a round trip, which is taken to be as long as the TCP connect: Chromium does not wait for a TLS 1.2 handshake to end.',
  },
  http2: {
    title: () => 'HTTP/2',
    nothing: ({ http1Requests }) =>
      http1Requests === 0 ? 'Nothing: HTTP/1.1 is not used.' : 'Nothing: no request waits for a free connection.',
    assumption: 'Server and line are just as fast when all requests come at once over one connection.',
  },
  slow_group: {
    title: ({ slowShare, fromMs }) =>
      slowShare > 0
        ? `If the ${shareOf(slowShare)} of requests over ${limit(fromMs)} were as fast as the others`
        : 'If slow requests were as fast as the others',
    nothing: () => 'Nothing: no request is far slower than the others.',
    assumption:
      'Each slow request takes as long as the median of the other requests of its kind; connections take as long to open as now.',
  },
  nearer_site: {
    title: ({ site, nearSite, fartherMs }) =>
      site === ''
        ? 'If sites were as near as the nearest one'
        : `If ${site} were as near as ${nearSite} (${amount(fartherMs)} ms nearer)`,
    nothing: () => 'Nothing: it is just as near.',
    assumption: 'Each phase of a request takes as long as the same request typically does at the nearer site.',
  },
  timing_allowed: {
    title: () => 'If third parties sent Timing-Allow-Origin',
    nothing: () => 'Nothing is hidden.',
    assumption: 'No request becomes faster, but it becomes visible what its time is spent on.',
  },
  more: {
    since: (at) => `A server’s timeout last changed on ${DAY.format(at)}; its requests before that are not counted.`,
    saves: (share, interval, affected, perRequest) =>
      `${percent(share)} of the total time (${within(interval)}): ${amount(perRequest)} ms in each of ${count(affected)} requests.`,
    costs: (share, interval, affected, perRequest) =>
      `Costs ${percent(share)} more time (${within(interval)}): ${amount(perRequest)} ms in each of ${count(affected)} requests.`,
    hardly: (affected) => `Hardly anything: under 0.1 % of the total time, in ${count(affected)} requests.`,
    shows: ({ affected, opaqueShare, hiddenShare }) =>
      `Saves no time, but reveals ${count(affected)} requests (${wholeShare(opaqueShare)}) with ${wholeShare(hiddenShare)} of the total time.`,
    reasons: {
      too_few_requests: 'Not known: too few requests depend on it.',
      too_few_browsers: 'Not shown: too few browsers are affected.',
      no_idle_times: 'Not known: no browser reports idle times.',
      handshake_not_told: 'Not known: the server does not report in Server-Timing which sessions it resumed.',
      tls_version_unknown:
        'Not known: only Firefox reports the TLS version, and there are fewer than 30 of its connections.',
      protocol_unknown: 'Not known: browsers hide the protocol.',
      few_sites: 'Not known: fewer than two sites opened 30 connections.',
    },
  },
};
