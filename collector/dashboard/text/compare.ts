import { MIN_RELATIVE_CHANGE } from '../../../shared/statistics/change.ts';
import type { AnyDimension } from '../../../shared/vocabulary/dimensions.ts';
import { ENGLISH } from '../../analysis/text/english.ts';

const { count, difference, ms } = ENGLISH.numbers;
const groups = (n: number) => `${count(n)} ${n === 1 ? 'group' : 'groups'}`;
const span = ([low, high]: readonly [number, number]) => `${difference(low)} to ${difference(high)} ms`;
const leastChange = MIN_RELATIVE_CHANGE * 100;

const SIDES: Partial<Record<AnyDimension, string>> = {
  source: 'users and probes',
  extension: 'release',
  target: 'app',
};

interface Sides {
  readonly a: string;
  readonly b: string;
}

export const COMPARE = {
  title: 'Compare',
  titleOf: (time: string) => `Compare: ${time}`,
  panel: 'Comparison',
  choose: {
    title: 'Choose what to compare',
    lead: 'Choose both sides above. The result shows whether they differ by more than chance.',
  },

  form: {
    label: 'What to compare',
    what: 'Compare',
    time: 'Time',
    by: 'Group by',
    earlier: 'Compare the range above with',
    previous: 'the preceding period',
    week: 'the same time a week earlier',
    own: 'a custom range',
    from: 'from',
    to: 'to',
    submit: 'Compare',
    /** Labels of the two sides' fields. */
    sides: {
      a: (dimension: AnyDimension) => `Compare ${SIDES[dimension] ?? ENGLISH.dimensions[dimension].toLowerCase()}`,
      b: 'with',
    },
    noValues: 'none in this range',
    chooseOne: 'Choose …',
  },
  comparable: {
    range: 'Time ranges',
    site: 'Sites',
    scenario: 'Scenarios',
    extension: 'Extension releases',
    browserVersion: 'Browser versions',
    host: 'Hosts',
    target: 'Apps',
    protocol: 'Protocols',
    source: 'Users and probes',
  },
  groupings: {
    none: 'none (all requests)',
    target: 'app',
    type: 'resource type',
    host: 'host',
    'host-type': 'host and type',
    site: 'site',
  },
  times: {
    ttlb: 'total time (to last byte)',
    ttfb: 'time to first byte',
    wait: 'wait (request to first byte)',
    receive: 'receive',
    setup: 'set-up of new connections',
    tls: 'TLS handshake',
    tcp: 'TCP connect',
    dns: 'DNS lookup',
    blocked: 'blocked in the browser',
  },

  /** The name of a side within a sentence, if it has a comma of its own. */
  quoted: (name: string) => `“${name}”`,
  ranges: ({ a, b }: Sides) => `${b} against ${a}.`,
  both: (range: string) => `Both over ${range}.`,
  usersOnly: 'Users’ requests only, without probes.',
  sidesOf: ({ a, b }: Sides) => `${a} against ${b}`,
  before: 'before',
  now: 'now',
  without: (dimension: AnyDimension) => `no ${ENGLISH.dimensions[dimension].toLowerCase()}`,
  outcomes: { slower: 'Slower', faster: 'Faster', same: 'No change', unknown: 'Not measured', few: 'Not compared' },

  sentence: {
    neither: 'Neither side was measured.',
    notBefore: 'Not measured before.',
    notAfter: 'No longer measured.',
    sideMissing: (side: string) => `${side} was not measured.`,
    mediansInTime: (before: number, after: number, why: string) =>
      `The median is ${ms(after)} ms now and was ${ms(before)} ms before. ${why}`,
    medians: ({ a, b }: Sides, before: number, after: number, why: string) =>
      `The median is ${ms(after)} ms at ${b}, ${ms(before)} ms at ${a}. ${why}`,
    notCompared: ENGLISH.change.notCompared,
    changed: (by: number, interval: readonly [number, number]) => `${size(by)} than before (${bounds(by, interval)}).`,
    differs: ({ a, b }: Sides, by: number, interval: readonly [number, number]) =>
      `${b} is ${size(by)} than ${a} (${bounds(by, interval)}).`,
    unchanged: (by: number, interval: readonly [number, number], why: string) =>
      `No certain change (${difference(by)} ms; ${span(interval)})${why}.`,
    same: ({ a, b }: Sides, by: number, interval: readonly [number, number], why: string) =>
      `No certain difference between ${a} and ${b} (${difference(by)} ms; ${span(interval)})${why}.`,
    tooSmall: `: less than ${leastChange} % of the median`,
    belowClockStep: ': less than the browsers’ clocks can resolve',
    noGroup: 'No group can be compared: each side needs at least 30 requests and 5 browsers.',
    noneDiffers: (n: number) =>
      `No certain difference in ${n === 1 ? 'the only group' : `any of ${groups(n)}`} compared.`,
    /** `sentence` is about the group with the largest change. */
    several: (slower: number, faster: number, all: number, group: string, sentence: string) => {
      const counts = [
        ...(slower > 0 ? [`${count(slower)} slower`] : []),
        ...(faster > 0 ? [`${count(faster)} faster`] : []),
      ];
      return `${counts.join(', ')} of ${groups(all)}. Largest change: ${group}: ${sentence}`;
    },
  },
  doubts: {
    ...ENGLISH.change.because,
    chance: (expected: number, all: number) =>
      `With ${groups(all)} compared, chance alone may make ${count(expected)} of them differ.`,
  },

  chart: {
    heading: 'Difference between the sides',
    title: 'Difference of medians',
    note: (minus: string) => `Milliseconds, ${minus}; the lines are 95 % intervals.`,
    nowMinusBefore: 'now minus before',
    minus: ({ a, b }: Sides) => `${b} minus ${a}`,
    differenceOf: (group: string, by: number) => `${group}: ${difference(by)} ms`,
    slower: 'slower',
    faster: 'faster',
    noise: 'no certain difference',
    noChange: 'no change',
  },
  table: {
    title: 'By group',
    columns: {
      group: 'Group',
      outcome: 'Result',
      median: (side: string) => `Median, ${side}`,
      difference: 'Difference',
      low: '95 % from',
      high: '95 % to',
      samples: (side: string) => `Samples, ${side}`,
    },
    notes: [
      '95 % from and to: the interval of the difference of medians, from a seeded bootstrap over browsers.',
      `A difference counts as a change only if the interval excludes 0 and the difference is at least ${leastChange} % and at least the browsers’ clock step.`,
    ],
    leftOut: (n: number) =>
      `${count(n)} smaller ${n === 1 ? 'group' : 'groups'} not shown. Use the filters to see them.`,
  },
};

function size(by: number): string {
  return `${ms(Math.abs(by))} ms ${by > 0 ? 'slower' : 'faster'}`;
}

function bounds(by: number, [low, high]: readonly [number, number]): string {
  const [least, most] = by > 0 ? [low, high] : [-high, -low];
  return `${ms(least)} to ${ms(most)} ms with 95 % certainty`;
}
