import type { Exclusion } from '../../../shared/vocabulary/vocabulary.ts';
import type { ComparedBy } from '../summary/likeness.ts';
import { ENGLISH } from './english.ts';
import { PROBE_REASONS } from './probe-reasons.ts';

const { count, fixed, ms, upTo } = ENGLISH.numbers;
const requestsOf = (n: number) => `${count(n)} ${n === 1 ? 'request' : 'requests'}`;
const pagesOf = (n: number) => `${count(n)} ${n === 1 ? 'page' : 'pages'}`;

const UNLIKE: Readonly<Record<ComparedBy, { readonly others: string; readonly why: string }>> = {
  host: { others: 'the distance of other hosts', why: 'hosts at different distances' },
  type: { others: 'other types of requests', why: 'different types of requests' },
  site: { others: 'the distance of other sites', why: 'sites at different distances' },
  template: { others: 'other paths', why: 'different paths' },
};

/** Titles, headings and notes of the views' tables, and the rules of every method, in English; see `GERMAN_TABLES`. */
export const ENGLISH_TABLES = {
  ...ENGLISH,
  probeReasons: PROBE_REASONS,
  /** Together with `otherRules`, the rules behind every number, as listed in `method.rules`. */
  exclusionRules: {
    failed: 'Failed requests are counted but excluded from times.',
    abandoned: 'Requests that the page gave up are counted but excluded from times.',
    invalid: 'Entries whose timestamps are out of order, negative or missing are counted, never corrected.',
    worker: 'Responses from a service worker are counted but excluded from times.',
    status: 'Responses other than 2xx and 3xx are counted but excluded from times.',
    redirect: 'Redirects are counted but excluded from times.',
    challenge: 'Requests for which the browser had to sign in first are counted but excluded from times.',
    warmup: 'Warm-up requests of probes are counted but excluded from times.',
    hidden: 'Requests from hidden tabs are counted but excluded from times.',
    bfcache: 'Pages restored from the back/forward cache are counted but excluded from times.',
    prerender: 'Prerendered pages are counted but excluded from times.',
    rule: 'Requests that match an exclusion rule in the settings are counted but excluded from times.',
    unproven: 'Probe runs that do not prove their scenario are counted but excluded from times.',
  } satisfies Readonly<Record<Exclusion, string>>,
  otherRules: [
    'Responses from the browser cache and opaque cross-origin entries are counted but excluded from times.',
    'Long-lived requests, such as long-polling, are left out unless the filter by type names them.',
    'Unknown times are null with a reason, never 0.',
    'DNS, TCP and TLS are statistics of new connections only, unless labelled per request.',
    'Quantiles are sorted values at index ⌊q(n−1)⌋, never interpolated.',
  ],
  quarantined: (samples: number) =>
    `${count(samples)} samples from about this time can’t be read and are in quarantine.`,

  views: {
    scenarios: 'Scenarios: plain HTTP, HTTPS on a reused connection, HTTPS on a new connection',
    phases: 'Phases: connect, processing, waiting, total',
    pages: 'Pages: first and last byte, result codes, content length',
    probes: 'Probes: availability and the time of each step, by site',
    ratios: 'Ratios to a baseline',
  },
  titles: {
    responseTimes: 'Response times',
    histogram: 'Histogram',
    connectionTimes: 'Connection times',
    percentages: 'Requests served within a time',
    totals: 'Totals',
    cache: 'Cache',
    pages: 'Pages',
    resultCodes: 'Result codes',
    pageMinusImage: 'Page minus image',
    receiveBySize: 'Receive by size',
    steps: 'Steps',
    journeyPages: 'What the steps of journeys load',
    trend: 'Trend',
    lastFailures: 'Last failures',
    tls: 'TLS versions and ciphers',
    outside: 'In no scenario',
    page: 'Users’ traffic',
    probe: 'Probes',
    load: 'Load',
    import: 'Imported recordings',
    ratio: (of: string, baseline: string) => `${of}: ratio to ${baseline}`,
  },
  columns: {
    address: 'Address',
    at: 'At',
    /** Heading of a column of timestamps. */
    epoch: (label: string) => `${label}, epoch milliseconds`,
    available: 'Available',
    average: 'Average',
    bodies: 'Bodies',
    bytesFetched: 'Bytes fetched',
    bytesFetchedAgain: 'Bytes fetched again',
    cipher: 'Cipher',
    code: 'Code',
    connection: 'Connection',
    contentLength: 'Content length',
    contentLengthAbout: 'Content length, about',
    count: 'Count',
    discarded: 'Discarded',
    failedRequests: 'Failed requests',
    fetchedAgain: 'Fetched again',
    firstByte: 'First byte',
    from: 'From',
    fromCache: 'From cache',
    group: 'Group',
    handshakeRoundTrips: 'Handshake round trips',
    handshakesSeen: 'Handshakes seen',
    hits: 'Hits',
    host: 'Host',
    image: 'Image',
    imageWait: 'Wait for the image, median',
    keepAlive: 'Keep-alive requests',
    keepMeasuring: 'Keep measuring',
    largeBodies: 'Large bodies',
    lastByte: 'Last byte',
    leftOut: 'Left out',
    max: 'Max',
    mean: 'Mean',
    median: 'Median',
    min: 'Min',
    newConnections: 'New connections',
    otherStatus: 'Neither 2xx nor 3xx',
    over1s: 'Over 1 s',
    over200ms: 'Over 200 ms',
    overHalfTrip: 'More than half a round trip',
    p95: '95th percentile',
    p99: '99th percentile',
    page: 'Page',
    pageWait: 'Wait for the page, median',
    partOfRequests: 'Share of requests',
    peaks: 'Peaks',
    place: 'Site',
    probe: 'Probe',
    reason: 'Reason',
    receiveAverage: 'Receive, average',
    receiveMedian: 'Receive, median',
    receiveP75: 'Receive, p75',
    requests: 'Requests',
    requestsSeen: 'Requests seen',
    runs: 'Runs',
    scenario: 'Scenario',
    serverShare: 'Server share',
    serverTimeAverage: 'Server time, average',
    setupAverage: 'Set-up, average',
    source: 'Source',
    standardDeviation: 'Standard deviation',
    step: 'Step',
    target: 'App',
    threshold: 'Threshold',
    time: 'Time',
    timeOfAllRequests: 'Time of all requests',
    timeTaken: 'Time taken',
    timeTakenPerRequest: 'Time taken per request',
    tlsMedian: 'TLS, median',
    to: 'To',
    totalTransferred: 'Total transferred',
    transferRate: 'Transfer rate',
    type: 'Type',
    usable: 'Usable requests',
    usableSeen: 'Usable requests seen',
    version: 'Version',
    waitMedian: 'Wait, median',
    withinThreshold: 'Within the threshold',
    stepTime: 'Step time, median',
    usersMedian: 'Users, median',
    usersUnknown: 'No time of users',
  },
  /** Statistics, as appended to the name of a time or a length in a heading. */
  journeys: {
    title: 'Journeys by site',
    light: 'Light',
    lights: { green: '● green', yellow: '▲ yellow', red: '■ red', none: '– no thresholds' },
    up: 'Runs up',
    down: 'Runs down',
    over: 'Down or too slow',
    median: 'All steps, median',
    slowest: 'Slowest step',
    since: 'Down since',
    step: (step: number, median: number, threshold: number | null) =>
      `step ${step}: ${ms(median)}${threshold === null ? '' : ` of ${ms(threshold)}`} ms`,
    note: 'A run is up if each of its steps was done, and too slow if one took longer than its threshold. Light: red while a journey is down, or if at least half of its runs were down or too slow; yellow if more than 5 % were; otherwise green. Down since: the first failure after the last run that was up.',
  },
  statistics: { mean: 'average', min: 'min', p25: 'p25', median: 'median', p75: 'p75', max: 'max' },
  /** Translations of values that fill a whole cell, by their name in JSON; any other is shown as it is. */
  cells: {} as Readonly<Record<string, string>>,
  /** Appended to a scenario's name. */
  sourceSuffixes: { page: '', probe: ', probes', load: ', load', import: ', imports' },

  notes: {
    sources: 'Users’ traffic, probes and imported recordings have separate rows and are never mixed.',
    usableSeen: (seconds: number | null) =>
      `Usable requests seen: those included in the times, divided by the duration (${seconds === null ? 'no stated duration, so no rates' : `${upTo(seconds, 3)} s`}). This is what was requested, not what the server could handle. Left out: responses other than 2xx and 3xx, redirects, hidden tabs and the like.`,
    handshakeRoundTrips:
      'Handshake round trips: the median of TLS ÷ TCP within each new HTTPS connection, except on HTTP/3. Not measurable, and empty, if TCP takes less than 5 ms or 10 clock steps: computing time would be counted.',
    peaks: 'Peaks: modes of the density on a logarithmic axis, shown from 200 samples on.',
    bins: 'Four bins per octave, with the same edges for every scenario.',
    histogram:
      'How many requests took how long, one row per scenario, on a logarithmic axis; each row is scaled to its own tallest bar.',
    outside:
      'A request that failed, or whose connection was not seen, is in none of the scenarios and none of the times above.',
    onlySamples: (_code: string, message: string) => `Values that need individual samples are left empty: ${message}.`,

    phases:
      'Connect: DNS, TCP and TLS per request, a reused connection counting as 0. Processing: the rest. Waiting: request to first byte.',
    meansAddUp: 'Means add up (connect + processing = total); medians and maxima do not.',
    meansDoNotAddUp: (requests: number) =>
      `The means do not add up: the set-up of ${requestsOf(requests)} is unknown and missing under “Connect”.`,
    slowest: '100 % is the slowest request.',
    requestsSeen:
      'Requests seen are what was requested, not what the server could handle. Time taken per request is meaningful only if the requests came one after another; the average of each request is under “Connection times”.',
    failedElsewhere: 'A request that failed has no scenario: failed ones are counted under “In no scenario”.',
    fetchedAgain:
      'Fetched again: the same browser had requested that path template before. Templates fold ids, so two orders count as one page: the figure is meaningful for scripts, styles, images and fonts.',

    tooFewForCache:
      'the cache and fleet numbers for these filters, or for what they leave out, would cover too few browsers.',

    hits: (least: number, most: number) => `Hits per page range from ${count(least)} to ${count(most)}.`,
    noUsablePage: 'No page has a usable sample.',
    varyingLength:
      'Varying content length: different things were measured under one name. Treat its times with caution.',
    allSamples:
      'All samples, including those left out of the times: a refusal is fast and says nothing about the page.',
    nearestImage:
      'The image on the same host with the closest content length (at most twice or half) represents the path alone. That holds if the server keeps it in memory.',
    noImage: 'No page has an image of similar content length on its host.',
    imageWait:
      'Wait: from the request to the first byte of the response, without set-up, so it does not matter which connections they used.',
    noRoundTrip: 'No new connection was seen, so there is no round trip to compare with.',
    /** @param sizes of smaller bodies that are slow too, although larger ones are not */
    slowFrom: (kb: number, halfTrip: number, sizes: string) =>
      `From about ${count(kb)} KB on, receiving takes more than half a round trip (${fixed(halfTrip, 1)} ms).${sizes === '' ? '' : ` About ${sizes} does too, though larger ones do not.`}`,
    noneSlow: (halfTrip: number, sizes: string) =>
      sizes === ''
        ? `No size takes more than half a round trip (${fixed(halfTrip, 1)} ms).`
        : `There is no size above which receiving always takes more than half a round trip (${fixed(halfTrip, 1)} ms). About ${sizes} does, though larger ones do not.`,
    duration: (seconds: number | null) => `Duration: ${seconds === null ? 'not stated' : `${upTo(seconds, 3)} s`}.`,
    warmup: (requests: number) => `Warm-up: ${requestsOf(requests)}, left out.`,
    repetitions: (requests: number, pages: number) => `Repetitions: ${requestsOf(requests)} over ${pagesOf(pages)}.`,
    concurrency: (average: number | null) =>
      `Concurrency: ${average === null ? 'unknown without a duration' : `${fixed(average, 2)} requests under way on average`}.`,
    otherStatus: (requests: number) => `Left out for their status (such as 401): ${count(requests)}.`,
    pagesLeftOut: (shown: number, left: { readonly pages: number; readonly requests: number }) =>
      `The ${pagesOf(shown)} with the most requests; ${count(left.pages)} others with ${requestsOf(left.requests)} are not listed.`,
    templates: 'Page names are templates: numbers, ids and mangled parts of a path are folded.',

    noRatio: 'No ratio if the baseline is 0 or either side was not measured.',
    noBaseline: (name: string) => `The baseline ${name} was not measured, so there are no ratios.`,
    unlike: (scenario: string, baseline: string, by: ComparedBy, percent: number) =>
      `${scenario} and ${baseline} share ${percent} % of their requests by ${by}: part of the ratio is due to ${UNLIKE[by].others}.`,
    incomparable: (scenario: string, baseline: string, by: ComparedBy, percent: number) =>
      `${scenario} and ${baseline} share ${percent} % of their requests by ${by}, so there is no ratio: ${UNLIKE[by].why} are not comparable. Filter by ${by}.`,
    onlyFirefox: 'Only Firefox reports these.',

    probes: 'Warm-up runs are left out. Runs that did not prove their scenario count as discarded, not as failures.',
    available: 'Available: runs answered with 2xx or 3xx, of those that were answered or failed.',
    threshold: 'Threshold: the longest acceptable time of the step, compared with how long the step took in each run.',
    journeyPages:
      'Medians over the runs. The time of all requests exceeds that of the step where requests overlap; where it is less, the page’s own work came between them.',
    usersOnSteps: 'Users: their own requests on the same path at the same site, never combined with those of journeys.',
  },
};

export type TableTexts = typeof ENGLISH_TABLES;
