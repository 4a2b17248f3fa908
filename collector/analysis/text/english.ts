import { MIN_RELATIVE_CHANGE } from '../../../shared/statistics/change.ts';
import {
  type KeepMeasuringReason,
  MAX_INTERVAL_WIDTH,
  MIN_BROWSERS,
  MIN_SAMPLES,
} from '../../../shared/statistics/keep-measuring.ts';
import { type AnyDimension, FEW_BROWSERS } from '../../../shared/vocabulary/dimensions.ts';
import type { Phase } from '../../../shared/vocabulary/time-names.ts';
import type { Connection, Exclusion, UnknownReason } from '../../../shared/vocabulary/vocabulary.ts';
import { OF_ENGINE } from '../../reductions/cell-aggregate.ts';
import type { Finding, FindingPart } from '../summary/finding.ts';
import type { FoldedCells, Gap, Verdict, VerdictWord } from '../summary/summary-document.ts';
import type { Language } from './language.ts';
import { monthName } from './month-name.ts';
import { numberWords } from './numbers.ts';

const numbers = numberWords('en');
const { amount, count, difference: signed, fixed, limit, share } = numbers;
const ms = (value: number) => `${amount(value)} ms`;
const DAY = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

const TAIL_PHASES = {
  blocked: 'blocked inside the browser',
  wait: 'waiting for the server',
  receive: 'receiving the body',
} as const;

const VERDICTS: Readonly<Record<VerdictWord, string>> = {
  tls: 'TLS',
  network: 'network',
  server: 'server',
  download: 'download',
  client: 'the browser itself',
  unknown: 'no single cause',
};

const DIMENSIONS: Readonly<Record<AnyDimension, string>> = {
  host: 'Host',
  type: 'Type',
  connection: 'Connection',
  protocol: 'Protocol',
  scheme: 'Scheme',
  scenario: 'Scenario',
  handshake: 'Handshake',
  source: 'Source',
  site: 'Site',
  target: 'App',
  template: 'Page',
  browser: 'Browser',
  browserVersion: 'Browser version',
  extension: 'Extension',
  journey: 'Journey',
  journeyStep: 'Step of the journey',
};

/** Everything that the dashboard and the reports both say, in English; `GERMAN` has the same keys. */
export const ENGLISH = {
  language: 'en' as Language,
  numbers,
  dimensions: DIMENSIONS,
  phases: {
    blocked: 'Blocked',
    dns: 'DNS',
    tcp: 'TCP',
    tls: 'TLS',
    wait: 'Wait',
    receive: 'Receive',
  } as Readonly<Record<Phase, string>>,
  workerStart: 'Service worker start-up',
  phaseMeanings: {
    blocked: 'Blocked inside the browser: before the lookup, the connect and the request',
    dns: 'Name lookup, on new connections',
    tcp: 'TCP connect, on new connections',
    tls: 'TLS handshake, on new connections',
    wait: 'From request to the first byte: one round trip and the server',
    receive: 'From the first byte to the last',
  } as Readonly<Record<Phase, string>>,
  verdicts: {
    tls: 'TLS',
    network: 'Network',
    server: 'Server',
    download: 'Download',
    client: 'Client',
    unknown: 'No verdict',
  } as Readonly<Record<VerdictWord, string>>,
  verdictMeanings: {
    tls: 'TLS handshakes are the largest part of the average time',
    network: 'Lookup, connect and one round trip are the largest part of the average time',
    server: 'Waiting for the server is the largest part of the average time',
    download: 'Receiving the body is the largest part of the average time',
    client: 'Time blocked inside the browser is the largest part of the average time',
    unknown: 'No part is large enough to be the sole cause',
  } as Readonly<Record<VerdictWord, string>>,
  noVerdicts: {
    no_samples: 'Nothing was measured',
    no_round_trip: 'No new connection was seen, so network and server cannot be separated',
    no_leader: 'No part is both 40 % of the average time and 1.5 times the next one',
  } as Readonly<Record<NonNullable<Verdict['reason']>, string>>,
  /** `-full` and `-resumed` are parts of `https-new`. */
  scenarios: {
    'http-new': 'HTTP, new connection',
    'http-reused': 'HTTP, reused connection',
    'https-reused': 'HTTPS, reused connection',
    'https-new': 'HTTPS, everything new',
    'https-new-resumed': 'HTTPS, new, session resumed',
    'https-new-full': 'HTTPS, new, full handshake',
  } as Readonly<Record<string, string>>,
  connections: {
    new: 'new connection',
    reused: 'reused connection',
    cache: 'from cache',
    opaque: 'opaque',
    worker: 'service worker',
    failed: 'failed',
    unknown: 'unknown',
  } as Readonly<Record<Connection, string>>,
  unknown: {
    [OF_ENGINE]: 'this kind of browser does not report it',
    plain_http: 'plain HTTP has no TLS',
    no_tls_stamp: 'the browser gave no timestamp for the start of TLS',
    opaque: 'the other origin sends no Timing-Allow-Origin',
    cache: 'served from the browser’s cache',
    worker: 'answered by a service worker',
    failed: 'the request failed',
    invalid: 'the browser’s timestamps were out of order',
    preconnected: 'Chromium had opened the connection before the request, so TCP was already done',
    begun_earlier: 'nothing proves that the connection was opened for this request',
    queued: 'Firefox counts the connection queue as part of the connect',
    merged_h3: 'HTTP/3 sets up transport and TLS in one exchange',
    hidden_redirect: 'a cross-origin redirect hides it',
    firefox_dns: 'Firefox counts the lookup as blocked',
    firefox_tls13: 'Firefox reports the first byte too early after a full TLS 1.3 handshake',
    not_recorded: 'the recording does not include it',
  } as Readonly<Record<UnknownReason | typeof OF_ENGINE, string>>,
  exclusions: {
    failed: 'failed',
    abandoned: 'abandoned by the page',
    invalid: 'timestamps out of order',
    worker: 'answered by a service worker',
    status: 'response other than 2xx or 3xx',
    redirect: 'redirected',
    challenge: 'the browser had to sign in first',
    warmup: 'warm-up',
    hidden: 'hidden tab',
    bfcache: 'back/forward cache',
    prerender: 'prerendered',
    rule: 'excluded by your own rule',
    unproven: 'probe run that did not prove its scenario',
  } as Readonly<Record<Exclusion, string>>,
  keepMeasuringReasons: {
    few_samples: `fewer than ${MIN_SAMPLES} samples`,
    few_browsers: `fewer than ${MIN_BROWSERS} browsers`,
    wide_interval: 'the median is not yet known to within 10 %',
  } as Readonly<Record<KeepMeasuringReason, string>>,

  all: 'All requests',
  none: '(none)',
  /** A dimension's name within a sentence. */
  noneOf: (dimension: AnyDimension) => `${DIMENSIONS[dimension].toLowerCase()} (none)`,
  types: {
    document: 'documents',
    script: 'scripts',
    style: 'style sheets',
    image: 'images',
    font: 'fonts',
    fetch: 'data requests',
    iframe: 'frames',
    media: 'media',
    beacon: 'beacons',
    other: 'other requests',
    long_lived: 'long-lived requests',
  } as Readonly<Record<string, string>>,
  keepMeasuring: {
    few_samples: 'few samples',
    few_browsers: 'few browsers',
    wide_interval: 'wide interval',
  } as Readonly<Record<KeepMeasuringReason, string>>,
  /** For a range over several months. `month` is `2026-10`. */
  browsersOfMonth: {
    column: 'Browsers (peak month)',
    month: (month: string) => monthName(month, 'en'),
    inMonth: (month: string) => `in ${monthName(month, 'en')}, the peak month`,
    note: 'Browsers are those of the peak month: their ids change on the first of each month, so several months together would count each browser several times.',
  },
  /** A group that few browsers are shown with. */
  withFewBrowsers: (group: string) => `${group} and few browsers`,
  /** Why some groups are not shown separately. */
  folded: ({ below, shownTogether }: FoldedCells) =>
    `Groups of few browsers are ${shownTogether ? `shown only together, as ${FEW_BROWSERS}` : 'left out'}, so that no number reveals anything about fewer than ${below} browsers, directly or by subtraction`,

  finding: {
    allRequests: 'all requests',
    dimension: (dimension: AnyDimension) => (dimension === 'target' ? 'app' : DIMENSIONS[dimension].toLowerCase()),
    times: (subject: string, { median, mean }: Finding) => `${subject}: median ${ms(median)}, average ${ms(mean)}.`,
    noGap: 'Median and average agree.',
    gap: (ratio: number | null, total: number) =>
      ratio === null
        ? `The average is ${ms(total)} above a median of 0`
        : `The average is ${amount(ratio)} times the median`,
    gapSize: (total: number) => `${ms(Math.abs(total))} ${total < 0 ? 'below' : 'above'} it`,
    adds: (part: FindingPart) => {
      const s = part.part === 'spread' ? 's' : '';
      return `${partName(part)} ${part.ms < 0 ? `take${s} ${ms(-part.ms)} off` : `add${s} ${ms(part.ms)}`}`;
    },
    cameFrom: (total: number, [first, ...others]: readonly [FindingPart, ...FindingPart[]]) =>
      [
        first.part === 'tail'
          ? `${share(first.share)} of requests take over ${limit(first.from)}${waitingFor(first)}; they make ${amount(first.ms)} of the ${amount(total)} ms between median and average`
          : `${amount(first.ms)} of the ${amount(total)} ms between them come from ${partName(first)}`,
        ...others.map((part) => `${ms(part.ms)} ${first.part === 'tail' ? 'come ' : ''}from ${partName(part)}`),
      ].join(', '),
    /** @param after ms that pages had waited at least, the median; null if it is not known */
    abandoned: (part: number, after: number | null) =>
      `${share(part)} of the requests were abandoned by the page before they ended${after === null ? '' : `, after ≥ ${limit(after)} (median)`}: the slowest may be missing.`,
    few: (n: number) => `That is from ${count(n)} ${n === 1 ? 'request' : 'requests'} only.`,
    /** @param part of the requests */
    busiest: (part: number) => `One browser makes ${numbers.wholeShare(part)} of the requests.`,
    tls: (mean: number, median: number) =>
      `Per request, TLS costs ${ms(mean)} on average and ${amount(median)} at the median.`,
    mergedHandshakes: 'HTTP/3 combines TCP and TLS in one handshake, so the cost of TLS per request is unknown.',
    verdict: (verdict: VerdictWord) => `Verdict for a typical request and for the average: ${VERDICTS[verdict]}.`,
    twoVerdicts: (typical: VerdictWord, average: VerdictWord) =>
      `Verdict: ${VERDICTS[typical]} for a typical request, ${VERDICTS[average]} for the average.`,
    behindEndpoint: 'TCP ends at a proxy, VPN or CDN near the users, and “server” is everything behind that.',
    nearbyEndpoint:
      'Verdict for a typical request and for the average: server, or the path to it. TCP ends at a proxy, VPN or CDN near the users, and this is everything behind that.',
    noVerdict: (reason: NonNullable<Verdict['reason']>) =>
      `Verdict: unknown, ${
        {
          no_samples: 'nothing was measured',
          no_round_trip: 'no new connection was seen, so network and server cannot be separated',
          no_leader: 'no part is large enough to be the sole cause',
        }[reason]
      }.`,
    variesWidely: ([p25, p75]: readonly [number, number]) =>
      `Times vary widely: the middle half takes ${amount(p25)} to ${ms(p75)}.`,
    keepMeasuring: (reasons: readonly KeepMeasuringReason[]) => {
      const words = {
        few_samples: `there are fewer than ${MIN_SAMPLES} samples`,
        few_browsers: `there are fewer than ${MIN_BROWSERS} browsers`,
        wide_interval: `the median is not yet known to within ${100 * MAX_INTERVAL_WIDTH} %`,
      };
      return `Keep measuring: ${reasons.map((reason) => words[reason]).join(', and ')}.`;
    },
  },

  /** The cost of HTTPS on one path of a probe. */
  overhead: {
    nothing: 'nothing measurable',
    cost: (by: number) => `${fixed(Math.abs(by), Math.abs(by) < 10 ? 1 : 0)} ms${by < 0 ? ' less than HTTP' : ''}`,
    reused: (cost: string) => `${cost} per request on a reused connection`,
    fresh: (cost: string) => `${cost} when everything is new`,
    unknown: 'The cost of HTTPS on this path is unknown; the reasons are next to each scenario.',
    known: (parts: readonly string[]) => `On this path HTTPS costs ${parts.join(', ')}`,
    /** @param reuse 0…1 */
    perRequest: (reuse: number, cost: string) =>
      `users here reuse ${Math.floor(reuse * 100)} % of the time: ${cost} a request`,
  },

  change: {
    onNeitherSide: 'not measured on either side',
    notBefore: (median: number) => `not measured before; now the median is ${ms(median)}`,
    notAfter: (median: number) => `no longer measured; the median was ${ms(median)}`,
    medians: (before: number, after: number) => `median ${ms(before)} before, ${ms(after)} after`,
    changed: (difference: number) => `It became ${ms(Math.abs(difference))} ${difference > 0 ? 'slower' : 'faster'}`,
    unchanged: 'No certain change',
    tooSmall: `less than ${MIN_RELATIVE_CHANGE * 100} % of the median`,
    belowClockStep: 'less than the browsers’ clocks can resolve',
    interval: (difference: number, [low, high]: readonly [number, number]) =>
      `${signed(difference)} ms; 95 %: ${signed(low)} to ${signed(high)} ms`,
    because: {
      unknown_browsers: 'The browsers are unknown, so requests were resampled instead: the true uncertainty is larger.',
      chosen_browsers:
        'Probes and recordings come from chosen machines, so requests were resampled instead: the result holds for these machines only.',
    },
    notCompared: {
      not_measured: 'Not compared: one side was not measured.',
      few_samples: `Not compared: each side needs at least ${MIN_SAMPLES} requests.`,
      few_browsers: `Not compared: each side needs at least ${MIN_BROWSERS} browsers.`,
    },
  },

  chart: {
    median: 'Median',
    average: 'Average',
    medianOf: (value: string) => `median ${value} ms`,
    averageOf: (value: string) => `average ${value} ms`,
    setup: 'Connection set-up',
    tail: ({ tailFrom, tailSamples }: Gap) => `Over ${limit(tailFrom)} (n ${count(tailSamples)})`,
    spread: 'Ordinary spread',
    notAttributed: 'Not attributed',
    ofAverage: 'of the average',
    /** A part of the wait that could be network or server. */
    undivided: 'Wait, not divided',
    belowClockStep: 'The median is shorter than these browsers’ clocks can measure',
    perRequest: 'per request',
    perConnection: 'per conn.',
    newConnectionsOnly: 'per connection, new ones only',
    medianAndAverage: (median: string, average: string) => `median ${median}, average ${average}`,
    middleHalf: (p25: string, p75: string) => `middle half ${p25} to ${p75} ms`,
    unknownPhase: 'The pale end is time whose phase is unknown.',
    partlyKnown: 'Some phases are known for only some of the requests, so the pieces extend past the average.',
    /** Label of a day (UTC). */
    day: (at: number) => DAY.format(at),
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

function waitingFor({ phase }: Extract<FindingPart, { part: 'tail' }>): string {
  return phase === null ? '' : ` (${TAIL_PHASES[phase]})`;
}

function partName(part: FindingPart): string {
  switch (part.part) {
    case 'tail':
      return `the ${share(part.share)} of requests over ${limit(part.from)}${waitingFor(part)}`;
    case 'spread':
      return 'the spread of ordinary requests';
    case 'setup': {
      const tls = part.tls === null ? '' : `, TLS ${amount(part.tls)} of it`;
      const cost = `(median ${ms(part.median)}${tls})`;
      if (part.share === 1) return `the new connections of all requests ${cost}`;
      return `the ${amount(100 * part.share)} % of requests that pay for a new connection ${cost}`;
    }
  }
}
