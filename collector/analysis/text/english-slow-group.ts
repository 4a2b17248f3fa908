import type { Phase } from '../../../shared/vocabulary/time-names.ts';
import type { SlowDimension } from '../../reductions/slow-group-rows.ts';
import type { SlowPhase, SlowValue } from '../summary/summary-document.ts';
import { numberWords } from './numbers.ts';

const { count, limit, upTo, wholeShare } = numberWords('en');

const SPENT: Readonly<Record<Phase, string>> = {
  blocked: 'blocked inside the browser',
  dns: 'looking up names',
  tcp: 'connecting',
  tls: 'in TLS handshakes',
  wait: 'waiting for the server',
  receive: 'receiving the body',
};

/** What most requests of the slow group have in common. */
export const ENGLISH_SLOW_GROUP = {
  /** Predicates of requests with this value, in the plural. */
  labels: {
    retransmission: (step: string) =>
      `had to repeat the ${step.startsWith('dns') ? 'lookup' : 'connect'} after ${/\d+/.exec(step)} s`,
    template: (path: string) => `are for ${path}`,
    host: (host: string) => `go to ${host}`,
    type: (type: string) => `are ${type}`,
    client: (id: string) => `come from the browser ${id}`,
    site: (site: string) => `come from site ${site}`,
    browser: (browser: string) => `come from ${browser}`,
    protocol: (protocol: string) => `use ${protocol}`,
    connection: (connection: string) => `use a ${connection}`,
    status: (status: string) => `are answered with status ${status}`,
    size: (kb: number) => `have a body of about ${kb < 1000 ? `${upTo(kb, 0)} KB` : `${upTo(kb / 1024, 0)} MB`}`,
    hourOfDay: (time: string, end: string) => `fall between ${time} and ${end}`,
    hourOfWeek: (day: string, time: string, end: string) => `fall on ${day} between ${time} and ${end}`,
  },
  notReported: {
    retransmission: 'have an unknown connect time',
    template: 'have an unknown path',
    host: 'go to an unknown host',
    type: 'are of an unknown type',
    client: 'come from an unknown browser',
    site: 'come from browsers without a site',
    browser: 'come from an unknown browser',
    protocol: 'do not report their protocol',
    connection: 'use an unknown connection',
    status: 'do not report their status',
    size: 'do not report their size',
    hourOfDay: 'fall in an unknown hour',
    hourOfWeek: 'fall in an unknown hour',
  } satisfies Record<SlowDimension, string>,
  spends: (from: number, { phase, inside, outside }: SlowPhase) =>
    `Requests over ${limit(from)} spend ${wholeShare(inside)} of their time ${SPENT[phase]} (others: ${wholeShare(outside)}).`,
  /** @param from null where the sentence before has named the requests */
  share: (from: number | null, what: string, { inside, outside }: SlowValue) =>
    `${wholeShare(inside)} of ${from === null ? 'them' : `the requests over ${limit(from)}`} ${what}; ${outside === 0 ? 'none' : wholeShare(outside)} of the others.`,
  reasons: {
    few_slow: (from: number, slow: number) =>
      `${slow === 1 ? 'Only 1 request takes' : `Only ${count(slow)} requests take`} over ${limit(from)}: too few to say what they have in common.`,
    few_browsers: (from: number) =>
      `What requests over ${limit(from)} have in common is not shown, because too few browsers are affected.`,
    nothing_stands_out: (from: number) =>
      `Nothing stands out about requests over ${limit(from)}: they have the same paths, sites, hours and connections as the others.`,
  },
};
