import type { Phase } from '../../../shared/vocabulary/time-names.ts';
import type { SlowDimension } from '../../reductions/slow-group-rows.ts';
import type { SlowPhase, SlowValue } from '../summary/sweep-slow-group.ts';
import { numbersOf } from './numbers.ts';

const { count, limit, times, upTo, wholeShare } = numbersOf('en');

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
  /** A value as a noun, with its article where it has one. */
  labels: {
    retransmission: (step: string) =>
      `a ${step.startsWith('dns') ? 'lookup' : 'connect'} repeated after ${/\d+/.exec(step)} s`,
    type: (type: string) => `the type “${type}”`,
    client: (id: string) => `the browser ${id}`,
    site: (site: string) => `site ${site}`,
    connection: (connection: string) => `a ${connection}`,
    status: (status: string) => `status ${status}`,
    size: (kb: number) => `a body of about ${kb < 1000 ? `${upTo(kb, 0)} KB` : `${upTo(kb / 1024, 0)} MB`}`,
    hourOfDay: (time: string, end: string) => `the hour from ${time} to ${end}`,
    hourOfWeek: (day: string, time: string, end: string) => `${day} from ${time} to ${end}`,
  },
  notReported: {
    retransmission: 'an unknown connect time',
    template: 'an unknown path',
    host: 'an unknown host',
    type: 'an unknown type',
    client: 'an unknown browser',
    site: 'no site',
    browser: 'an unknown browser',
    protocol: 'an unreported protocol',
    connection: 'an unknown connection',
    status: 'an unreported status',
    size: 'an unreported size',
    hourOfDay: 'an unknown hour',
    hourOfWeek: 'an unknown hour',
  } satisfies Record<SlowDimension, string>,
  spends: (from: number, { phase, inside, outside }: SlowPhase) =>
    `Requests over ${limit(from)} spend ${wholeShare(inside)} of their time ${SPENT[phase]} (others ${wholeShare(outside)})`,
  among: (from: number, value: string) => `Among requests over ${limit(from)}, ${value}`,
  amongThem: (value: string) => `; among them, ${value}`,
  and: (value: string) => `, and ${value}`,
  occurs: (label: string, { inside, outside }: SlowValue) =>
    outside === 0
      ? `${label} occurs in ${wholeShare(inside)} and nowhere else`
      : `${label} is ${times(inside / outside)} times as frequent as elsewhere (${wholeShare(inside)} against ${wholeShare(outside)})`,
  reasons: {
    few_slow: (from: number, slow: number) =>
      `${slow === 1 ? 'Only 1 request takes' : `Only ${count(slow)} requests take`} over ${limit(from)}: too few to say what they have in common.`,
    few_browsers: (from: number) =>
      `What requests over ${limit(from)} have in common is not shown, because too few browsers are affected.`,
    nothing_stands_out: (from: number) =>
      `Nothing stands out about requests over ${limit(from)}: paths, sites, hours and connections are those of the others.`,
  },
};
