import type { Exclusion } from '../../../shared/vocabulary/vocabulary.ts';
import { ENGLISH } from './english.ts';

const { fixed } = ENGLISH.numbers;

/** Titles, headings and notes of the views' tables, and the rules of every method, in English; see `GERMAN_TABLES`. */
export const ENGLISH_TABLES = {
  ...ENGLISH,
  /** The rules behind every number, together with `otherRules`: what `method.rules` holds. */
  exclusionRules: {
    failed: 'Requests that failed are counted as failed and stay out of times.',
    invalid: 'Entries whose stamps are out of order, negative or missing are counted as invalid, never corrected.',
    worker: 'Answers of a service worker are counted as worker and stay out of times.',
    status: 'Answers other than 2xx and 3xx are counted as status and stay out of times.',
    redirect: 'Redirects are counted as redirect and stay out of times.',
    challenge: 'Requests for which the browser had to sign in first are counted as challenge and stay out of times.',
    warmup: 'Warm-up requests of probes are counted as warmup and stay out of times.',
    hidden: 'Requests of hidden tabs are counted as hidden and stay out of times.',
    bfcache: 'Pages back from the back/forward cache are counted as bfcache and stay out of times.',
    prerender: 'Prerendered pages are counted as prerender and stay out of times.',
    rule: 'What an exclusion rule of the settings names is counted as rule and stays out of times.',
    unproven: 'Runs of probes that do not prove their scenario are counted as unproven and stay out of times.',
  } as Readonly<Record<Exclusion, string>>,
  otherRules: [
    'Answers from the browser cache and opaque cross-origin entries are counted and stay out of times.',
    'Unknown times are null with a reason, never 0.',
    'dns, tcp and tls are statistics of new connections only, unless called per request.',
    'Quantiles are sorted values at index ⌊q(n−1)⌋, never interpolated.',
  ],
  quarantined: (samples: number) => `${samples} samples of about this time can't be read and are in quarantine.`,

  views: {
    scenarios: 'Scenarios: plain HTTP, HTTPS on a kept connection, HTTPS with everything new',
    phases: 'Phases: connect, processing, waiting, total',
    pages: 'Pages: first and last byte, result codes, content length',
    probes: 'Probes: availability and the time of each step, by place',
    ratios: 'Ratios to a baseline',
  },
  titles: {
    responseTimes: 'Response times',
    histogram: 'Histogram',
    connectionTimes: 'Connection times',
    ladder: 'Requests served within a time',
    totals: 'Totals',
    cache: 'Cache',
    pages: 'Pages',
    resultCodes: 'Result codes',
    pageMinusImage: 'Page minus image',
    receiveBySize: 'Receive by size',
    steps: 'Steps',
    trend: 'Trend',
    lastFailures: 'Last failures',
    tls: 'TLS versions and ciphers',
    outside: 'In no scenario',
    page: 'Users’ traffic',
    probe: 'Probes',
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
    otherStatus: 'Neither 2xx nor 3xx',
    over1s: 'Over 1 s',
    over200ms: 'Over 200 ms',
    overHalfTrip: 'More than half a round trip',
    p95: '95th percentile',
    p99: '99th percentile',
    page: 'Page',
    pageWait: 'Wait for the page, median',
    partOfRequests: 'Part of requests',
    peaks: 'Peaks',
    place: 'Place',
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
    target: 'Target',
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
  },
  /** Statistics, as appended to the name of a time or a length in a heading. */
  statistics: { mean: 'average', min: 'min', p25: 'p25', median: 'median', p75: 'p75', max: 'max' },
  /** Translations of values that fill a whole cell, by their name in JSON; any other is shown as it is. */
  cells: {} as Readonly<Record<string, string>>,
  /** Appended to a scenario's name. */
  sourceSuffixes: { page: '', probe: ', probes', import: ', imports' },

  notes: {
    sources: 'Users’ traffic, probes and imported recordings stand in rows of their own and are never mixed.',
    usableSeen: (seconds: number | null) =>
      `Usable requests seen: those that count in the times, divided by the duration (${seconds === null ? 'no stated duration, so no rates' : `${seconds} s`}). It is what was asked for, not what the server could do. Left out: answers other than 2xx and 3xx, redirects, hidden tabs and the like.`,
    handshakeRoundTrips:
      'Handshake round trips: TLS ÷ TCP within each new connection over HTTPS, the median; not on HTTP/3. Not measurable, and empty, where TCP takes less than 5 ms or 10 clock steps: computing would be counted.',
    peaks: 'Peaks: modes of the density on a logarithmic axis, named from 200 samples on.',
    bins: 'Four bins to the octave; the same edges for every scenario.',
    histogram:
      'How many requests took how long, one row a scenario, on a logarithmic axis; each row is scaled to its own tallest bar.',
    outside:
      'A request that failed, or whose connection was not seen, is in none of the scenarios and in no time above.',
    onlySamples: (_code: string, message: string) => `What only single samples tell is left empty: ${message}.`,

    phases:
      'Connect: DNS, TCP and TLS per request, a reused connection counting 0. Processing: the rest. Waiting: request to first byte.',
    meansAddUp: 'Means add up (connect + processing = total); medians and largest values do not.',
    meansDoNotAddUp: (requests: number) =>
      `The means do not add up: of ${requests} requests the set-up is unknown, so they are missing under Connect.`,
    slowest: '100 % is the slowest request.',
    requestsSeen:
      'Requests seen are what was asked for, not what the server could do. Time taken per request is meaningful only where one request followed the other; the average of each request is under Connection times.',
    failedElsewhere: 'A request that failed has no scenario: failed ones are counted under In no scenario.',
    fetchedAgain:
      'Fetched again: the same browser had asked for that path template before. Templates fold ids, so two orders count as one page: read it for scripts, styles, images and fonts.',

    hits: (least: number, most: number) => `Hits per page lie between ${least} and ${most}.`,
    noUsablePage: 'No page has a usable sample.',
    varyingLength:
      'Content length that varies: different things were measured under one name. Read its times with care.',
    allSamples:
      'All samples, also those that are left out of the times: a refusal is fast, and says nothing about the page.',
    nearestImage:
      'The image of the same host whose content length is nearest (at most twice or half) stands for the path alone. That holds where the server keeps it in memory.',
    imageWait:
      'Wait: from the request to the first byte of its answer, without set-up, so that both may have come over any connection.',
    noRoundTrip: 'No new connection was seen, so there is no round trip to compare with.',
    /** @param sizes of smaller bodies that are slow too, although larger ones are not */
    slowFrom: (kb: number, halfTrip: number, sizes: string) =>
      `From about ${kb} KB on, receiving takes more than half a round trip (${fixed(halfTrip, 1)} ms).${sizes === '' ? '' : ` About ${sizes} does too, though larger ones do not.`}`,
    noneSlow: (halfTrip: number, sizes: string) =>
      sizes === ''
        ? `No size takes more than half a round trip (${fixed(halfTrip, 1)} ms).`
        : `There is no size from which on receiving takes more than half a round trip (${fixed(halfTrip, 1)} ms). About ${sizes} does, though larger ones do not.`,
    duration: (seconds: number | null) => `Duration: ${seconds === null ? 'not stated' : `${seconds} s`}.`,
    warmup: (requests: number) => `Warm-up: ${requests} requests, left out.`,
    repetitions: (requests: number, pages: number) => `Repetitions: ${requests} requests over ${pages} pages.`,
    concurrency: (average: number | null) =>
      `Concurrency: ${average === null ? 'unknown without a duration' : `${average.toFixed(2)} requests under way on average`}.`,
    otherStatus: (requests: number) => `Left out for their status (such as 401): ${requests}.`,
    pagesLeftOut: (shown: number, left: { readonly pages: number; readonly requests: number }) =>
      `The ${shown} pages with most requests; ${left.pages} others with ${left.requests} requests are in no row.`,
    templates: 'Page names are templates: numbers, ids and mangled parts of a path are folded.',

    noRatio: 'No ratio where the baseline is 0 or either side was not measured.',
    noBaseline: (name: string) => `The baseline ${name} was not measured, so there are no ratios.`,
    otherHosts: (scenario: string, baseline: string, percent: number) =>
      `${scenario} and ${baseline} share ${percent} % of their requests by host: part of the ratio is the distance of other hosts.`,
    incomparableHosts: (scenario: string, baseline: string, percent: number) =>
      `${scenario} and ${baseline} share ${percent} % of their requests by host, so there is no ratio: hosts at different distances do not compare. Filter by host.`,
    onlyFirefox: 'Only Firefox tells them.',

    probes: 'Warm-up runs are left out. Runs that did not prove their scenario count as discarded, not as failures.',
    available: 'Available: runs answered with 2xx or 3xx, of those that were answered or failed.',
    threshold:
      'Threshold: that of the step of a script with this address. Steps that differ in port, query or method alone share a row, and a threshold only if it is the same.',
  },
};

export type TableTexts = typeof ENGLISH_TABLES;
