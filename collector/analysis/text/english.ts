import { MIN_RELATIVE_CHANGE } from '../../../shared/statistics/change.ts';
import {
  type KeepMeasuringReason,
  MAX_INTERVAL_WIDTH,
  MIN_SAMPLES,
} from '../../../shared/statistics/keep-measuring.ts';
import type { Finding, FindingPart } from '../summary/finding.ts';
import type { Verdict, VerdictWord } from '../summary/summary-document.ts';
import type { Language } from './language.ts';
import { numbersOf } from './numbers.ts';
import { CONNECTION_LABELS, DIMENSION_LABELS, foldedText, PHASE_LABELS, UNKNOWN_WORDS } from './words.ts';

const numbers = numbersOf('en');
const { amount, count } = numbers;
const ms = (value: number) => `${amount(value)} ms`;

const TAIL_PHASES = {
  blocked: 'waiting inside the browser',
  wait: 'waiting for the server',
  receive: 'receiving the body',
} as const;

/** Everything that the dashboard and the reports both say, in English; `GERMAN` has the same keys. */
export const ENGLISH = {
  language: 'en' as Language,
  numbers,
  dimensions: DIMENSION_LABELS,
  phases: PHASE_LABELS,
  connections: CONNECTION_LABELS,
  unknown: UNKNOWN_WORDS,

  all: 'All requests',
  none: '(none)',
  /** A dimension's name within a sentence. */
  noneOf: (dimension: keyof typeof DIMENSION_LABELS) => `${DIMENSION_LABELS[dimension].toLowerCase()} (none)`,
  types: {
    document: 'documents',
    script: 'scripts',
    style: 'style sheets',
    image: 'images',
    font: 'fonts',
    fetch: 'fetches',
    iframe: 'frames',
    media: 'media',
    beacon: 'beacons',
    other: 'other requests',
  } as Readonly<Record<string, string>>,
  keepMeasuring: {
    few_samples: 'few samples',
    wide_quartiles: 'quartiles far apart',
    wide_interval: 'wide interval',
  } as Readonly<Record<KeepMeasuringReason, string>>,
  folded: foldedText,

  finding: {
    allRequests: 'all requests',
    dimension: (dimension: keyof typeof DIMENSION_LABELS) => DIMENSION_LABELS[dimension].toLowerCase(),
    times: (subject: string, { median, mean }: Finding) => `${subject}: median ${ms(median)}, average ${ms(mean)}.`,
    noGap: 'Median and average agree.',
    gap: (ratio: number | null, total: number) =>
      ratio === null
        ? `The average is ${ms(total)} above a median of 0`
        : `The average is ${amount(ratio)} times the median`,
    gapSize: (total: number) => `${ms(Math.abs(total))} ${total < 0 ? 'below' : 'above'} it`,
    adds: (part: FindingPart) => {
      const s = part.part === 'setup' ? '' : 's';
      return `${partName(part)} ${part.ms < 0 ? `take${s} ${ms(-part.ms)} off` : `add${s} ${ms(part.ms)}`}`;
    },
    cameFrom: (total: number, [first, ...others]: readonly [FindingPart, ...FindingPart[]]) =>
      [
        `${amount(first.ms)} of the ${amount(total)} ms between them come from ${partName(first)}`,
        ...others.map((part) => `${ms(part.ms)} from ${partName(part)}`),
      ].join(', '),
    tls: (mean: number, median: number) =>
      `Per request, TLS costs ${ms(mean)} on average and ${amount(median)} at the median.`,
    mergedHandshakes: 'HTTP/3 combines TCP and TLS in one handshake, so the cost of TLS per request is unknown.',
    verdict: (verdict: Exclude<VerdictWord, 'unknown'>) =>
      `Verdict: ${verdict === 'tls' ? 'TLS' : verdict === 'client' ? 'the browser itself' : verdict}.`,
    nearbyEndpoint:
      'Verdict: server, or the path to it. TCP ends at a proxy, VPN or CDN near the users, and this is everything behind that.',
    noVerdict: (reason: NonNullable<Verdict['reason']>) =>
      `Verdict: unknown, ${
        {
          no_samples: 'nothing was measured',
          no_round_trip: 'no new connection was seen, so network and server cannot be separated',
          no_leader: 'no part is large enough to be the sole cause',
        }[reason]
      }.`,
    keepMeasuring: (reasons: readonly KeepMeasuringReason[]) => {
      const words = {
        few_samples: `there are fewer than ${MIN_SAMPLES} samples`,
        wide_quartiles: 'the quartiles are far apart',
        wide_interval: `the median is not yet known to within ${100 * MAX_INTERVAL_WIDTH} %`,
      };
      return `Keep measuring: ${reasons.map((reason) => words[reason]).join(', and ')}.`;
    },
  },

  change: {
    onNeitherSide: 'not measured on either side',
    notBefore: (median: number) => `not measured before; now the median is ${ms(median)}`,
    notAfter: (median: number) => `no longer measured; the median was ${ms(median)}`,
    medians: (before: number, after: number) => `median ${ms(before)} before, ${ms(after)} after`,
    changed: (difference: number) => `It became ${ms(Math.abs(difference))} ${difference > 0 ? 'slower' : 'faster'}`,
    unchanged: (why: 'contains_zero' | 'too_small' | 'below_clock_step') =>
      `No change distinguishable from chance: ${
        {
          contains_zero: 'the interval of the difference contains 0',
          too_small: `the difference is below ${MIN_RELATIVE_CHANGE * 100} %`,
          below_clock_step: 'the difference is below the clock step of the browsers',
        }[why]
      }`,
    interval: ([low, high]: readonly [number, number]) => `95 % between ${amount(low)} and ${ms(high)}`,
    because: {
      few_browsers: 'Few browsers measured it, so the interval is computed over requests instead and is too narrow.',
      unknown_browsers:
        'The browsers are not known, so the interval is computed over requests instead and is too narrow.',
    },
  },

  chart: {
    median: 'Median',
    average: 'Average',
    medianOf: (value: string) => `median ${value} ms`,
    averageOf: (value: string) => `average ${value} ms`,
    setup: 'Connection set-up',
    tail: (samples: number) => `Slowest 1 % (n ${count(samples)})`,
    spread: 'Ordinary spread',
    notAttributed: 'Not attributed',
    perRequest: 'per request',
    perConnection: 'per conn.',
    newConnectionsOnly: 'per connection, new ones only',
    medianAndAverage: (median: string, average: string) => `median ${median}, average ${average}`,
    middleHalf: (p25: string, p75: string) => `middle half ${p25} to ${p75} ms`,
    unknownPhase: 'The hatched end is time whose phase is unknown.',
    partlyKnown: 'Some phases are known for only some of the requests, so the pieces extend past the average.',
    /** Label of a day (UTC). */
    day: (at: number) => new Date(at).toISOString().slice(5, 10),
    reused: 'no new connection: all were reused',
    notMeasured: 'not measured',
    nothingUsable: (opaque: number, cache: number, excluded: number) => {
      const parts = [
        ...(opaque > 0
          ? [`${count(opaque)} ${opaque === 1 ? 'sample' : 'samples'} hidden by the browser (no Timing-Allow-Origin)`]
          : []),
        ...(cache > 0 ? [`${count(cache)} from the cache`] : []),
        ...(excluded > 0 ? [`${count(excluded)} excluded`] : []),
      ];
      return `nothing usable: ${parts.length > 0 ? parts.join(', ') : 'no samples'}`;
    },
  },
};

export type Texts = typeof ENGLISH;

function partName(part: FindingPart): string {
  switch (part.part) {
    case 'tail':
      return `the slowest 1 %${part.phase === null ? '' : ` (${TAIL_PHASES[part.phase]})`}`;
    case 'spread':
      return 'the spread of ordinary requests';
    case 'setup': {
      const tls = part.tls === null ? '' : `, TLS ${amount(part.tls)} of it`;
      return `the ${amount(100 * part.share)} % of requests that pay a new connection (median ${ms(part.median)}${tls})`;
    }
  }
}
