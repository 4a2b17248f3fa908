import { ENGLISH_SLOW_GROUP } from '../../analysis/text/english-slow-group.ts';
import { numberWords } from '../../analysis/text/numbers.ts';

const { count, ms } = numberWords('en');
const amountOf = (n: number, one: string) => `${count(n)} ${n === 1 ? one : `${one}s`}`;
const steps = (n: number) => amountOf(n, 'step');
const longer = (time: number) => `${ms(Math.abs(time))} ms ${time < 0 ? 'less' : 'longer'}`;

export const HOST = {
  name: 'Host',
  back: '← All hosts',
  rows: (n: number) => `${amountOf(n, 'row')} shown`,
  typeTabs: 'Resource type',
  allTypes: 'all types',
  allTogether: 'All types together',
  oneType: (type: string) => `Resource type: ${type}`,
  table: 'Resource types of this host',
  caption: (host: string) => `Resource types of ${host}: median and average, milliseconds`,

  slowGroup: {
    name: 'The slow group',
    words: ENGLISH_SLOW_GROUP,
    read: (share: string) => `From ${share} of the samples.`,
  },

  facts: 'Connections, TLS and the server',
  setupPerConnection: 'Set-up per connection',
  setupPerConnectionMeans: 'DNS + TCP + TLS over new connections only',
  setupPerRequest: 'Set-up per request',
  setupPerRequestMeans: 'DNS + TCP + TLS over all requests; a reused connection counts as 0',
  setupUnknown: (meaning: string) => `${meaning}. No new connection was measured.`,
  setup: (meaning: string, n: number, keepMeasuring: boolean) =>
    `Median / average. ${meaning}, n\u00a0${count(n)}${keepMeasuring ? '; keep measuring' : ''}.`,
  tlsPerRequest: 'TLS per request',
  tlsPerRequestMeans: 'Median / average over all requests: the overall cost of TLS handshakes.',
  roundTrips: 'Handshake round trips',
  roundTripsUnknown: {
    no_tls: 'No TLS handshake was measured.',
    mixed: 'Plain HTTP or HTTP/3 is mixed with TLS over TCP. Filter by scheme or protocol.',
    below_clock_step: 'A round trip is below what these browsers can measure.',
    round_trip_too_short: 'Not measurable: on a path this short, computing takes longer than the round trips.',
  },
  roundTripsMean: (n: number, meaning: string) => `Median TLS ÷ median TCP, n\u00a0${count(n)}. ${meaning}`,
  roundTripsMeanings: {
    one: 'One round trip, as with TLS 1.3, with False Start in TLS 1.2, or when a session is resumed: this number does not tell them apart.',
    two: 'Two round trips: a full handshake of TLS 1.2 without False Start, or of an older TLS version.',
    more: 'More than two round trips: a certificate chain too large for the first flight, or slow signing on the server.',
  },
  requestsPerConnection: 'Requests per connection',
  noNewConnection: 'No new connection was seen.',
  requestsPerConnectionMeans: (opened: number) =>
    `Requests ÷ new connections (${count(opened)}), an estimate: browsers do not identify connections.`,
  serverShare: 'Server’s part of the wait',
  notMeasured: 'Not measured.',
  notMeasurable: {
    no_samples: 'Not measurable: no round trip was measured that could be subtracted.',
    few_samples: 'Not measurable: fewer than 6 requests.',
    interval_contains_zero: 'Not measurable: the interval contains 0.',
  },
  serverShareMeans: (interval: string | null, n: number) =>
    `Wait minus one round trip on new connections, median${interval === null ? '' : ` (${interval}, 95 %)`}, n\u00a0${count(n)}. The time of everything behind the first TCP endpoint: the server itself, or a proxy or CDN and everything behind it.`,
  interval: (low: string, high: string) => `${low} to ${high} ms`,
  over: (threshold: string) => `Over ${threshold}`,
  overMeans: (requests: number) => `${amountOf(requests, 'request')} took longer to the last byte.`,

  compareTables: 'Compare set-ups and pages',
  tables: 'Tables',
  views: { scenarios: 'Scenarios', ratios: 'Ratios', phases: 'Connect, wait, total', pages: 'Pages', sites: 'Sites' },

  sites: {
    title: 'Connect time by site',
    none: 'No site with enough connections to this host.',
    undivided:
      'It is not yet possible to tell whether a site or a host is far away: this needs connections from three sites to three hosts.',
    nothing: 'Neither a site nor this host stands out.',
    ofHost: (time: number) =>
      `From every site, connections to this host take ${longer(time)} than usual. The cause is the host or its line.`,
    ofSite: (site: string, time: number) =>
      `From ${site}, connections to every host take ${longer(time)} than usual. The cause is the site’s line.`,
    ofPair: (site: string, time: number) =>
      `From ${site}, only connections to this host take ${longer(time)} than usual. The cause is the route between the two.`,
    columns: {
      site: 'Site',
      median: 'Median',
      usual: 'Usual',
      ofSite: '+ site',
      ofHost: '+ host',
      ofPair: '+ route',
      browsers: 'Browsers',
      n: 'n',
      from: 'Measured by',
    },
    from: { pages: 'pages', probes: 'probes' },
    basis:
      'TCP connects. Median = usual + site + host + route. Usual is the median site and host, so a part may be negative; each browser counts once.',
    tooFew: (pairs: number) =>
      `${amountOf(pairs, 'pair')} of site and host left out: fewer than 5 browsers or 30 connections.`,
    beyond: (pairs: number) => `${amountOf(pairs, 'pair')} left out: only the 40 largest sites and hosts are compared.`,
    withoutSite: (n: number) => `${amountOf(n, 'connection')} from browsers without a site left out.`,
  },

  whatIf: {
    title: 'What would it save?',
    of: 'Keep-alive, session tickets, TLS 1.3, HTTP/2 and others, predicted from recorded requests',
    alone:
      'Each on its own, as a share of the total time of this host’s requests, with a 95 % interval. The savings do not add up.',
    timeouts: (connections: number) => `A different keep-alive timeout (now ${count(connections)} connections)`,
    sites: (near: string) => `If sites were as near as ${near}`,
    columns: {
      seconds: 'Timeout',
      connections: 'New connections',
      site: 'Site',
      farther: 'Farther by',
      saved: 'Saved',
      low: 'from',
      high: 'to',
    },
  },

  tlsName: 'TLS',
  tlsTitle: 'TLS versions, ciphers and issuers',
  noHttps: 'No request here used https.',
  tlsFewBrowsers: 'Not shown: too few browsers report TLS facts, or too few do not.',
  tlsNotReported: 'No browser reported TLS facts: only Firefox does, and only to the extension.',
  tlsFacts: { version: 'Version', cipher: 'Cipher', keyExchange: 'Key exchange', issuer: 'Issuer' },
  tlsColumns: {
    fact: 'Fact',
    value: 'Value',
    samples: 'Requests',
    browsers: 'Browsers',
    n: 'Handshakes',
    tls: 'Handshake, median',
    roundTrips: 'Round trips, median',
    ttlb: 'Last byte, median',
  },
  tlsBasis: (share: string) => `Based on ${share} of the https requests: only Firefox reports TLS facts.`,
  postQuantum: (difference: string, usual: string, own: string, other: string) =>
    `Post-quantum key exchange: the handshake takes ${difference} ms compared with ${usual}, ${own} instead of ${other} round trips (medians).`,
  tlsInspection: 'An unusual issuer suggests TLS inspection between these browsers and the server.',
  otherIssuer: (browsers: number, requests: number, issuer: string) =>
    `${amountOf(browsers, 'browser')} (${amountOf(requests, 'request')}) ${browsers === 1 ? 'sees' : 'see'} a certificate from ${issuer} instead of the usual one: TLS inspection on the path, or another server.`,
  issuerCostUnknown: 'No new connection with it was measured, so its cost is unknown.',
  issuerCost: (handshake: string, request: string | null) =>
    `It changes the median handshake by ${handshake} ms${request === null ? '' : ` and requests by ${request} ms`}.`,
  notSignificant: 'This is not yet significant: keep measuring.',

  requests: {
    name: 'Requests',
    titleOf: (what: string, host: string, type: string) => `${what}: ${host}, ${type}`,
    allPaths: 'all',
    close: 'Close',
    back: '← All requests',
    none: 'No request matches.',
    fewBrowsers: (folded: string) => `No request here may be shown. ${folded}.`,
    shown: (shown: number, matching: number) =>
      shown === matching
        ? `${amountOf(matching, 'request')}, slowest first.`
        : `The slowest ${count(shown)} of ${amountOf(matching, 'request')}.`,
    withheld: 'Page views and details of single browsers are shown to administrators only.',
    time: 'Time',
    phases: 'Phases',
    firstByte: 'First byte, ms',
    lastByte: 'Last byte, ms',
    status: 'Status',
    pageView: 'Page view',
    waterfall: 'Requests of the page view',
    pageViewOf: (template: string, time: string) => `Page view of ${template}, ${time}`,
    began: (time: string, requests: number) => `Began ${time}, ${amountOf(requests, 'request')}.`,
    limit: 'A page view covers its first hour.',
    omitted: (requests: number) => `${count(requests)} later requests are not listed.`,
    request: 'Request',
    starts: 'Starts at, ms',
    asked: 'this request',
    noPageView: {
      admins_only: 'Page views of single browsers are shown to administrators only.',
      not_found: 'This request is no longer kept.',
      no_document: 'No document of this browser and app is known from the 24 hours before.',
      shared_browser: 'Several browsers share the number of this one, so their requests cannot be told apart.',
    },
  },

  distribution: {
    name: 'Distribution',
    note: (peaks: string, precision: string) =>
      `Requests by time to the last byte, ms, log axis. ${peaks} ${precision}.`,
    words: (median: string, mean: string, peaks: string) => `Median ${median} ms, average ${mean} ms. ${peaks}`,
    nothing: 'No usable samples, so there is no distribution.',
    table: 'Requests by time to the last byte',
    bins: 'Four bins per octave; the upper end of a bin is exclusive.',
    peaksLater: 'Peaks are detected from 200 requests on.',
    noPeak: 'No peak stands out.',
    onePeak: (peak: string) => `One peak, at ${peak}.`,
    peaks: (n: number, peaks: string) => `${count(n)} peaks: ${peaks}.`,
  },
  timeline: {
    name: 'Timeline',
    title: 'Over time',
    nothing: 'No usable samples, so there is no timeline.',
    stepSize: (size: string) => `Steps of ${size}, time to the last byte, ms.`,
    gaps: (n: number) =>
      `${steps(n)} ${n === 1 ? 'has no measurements: a gap, not a zero' : 'have no measurements: gaps, not zeros'}.`,
    cut: 'The highest p95 and averages are cut off; the table has them.',
    words: (n: number) => `Median and average of ${steps(n)}.`,
    middleHalf: 'middle half (p25 to p75)',
    table: 'Time to the last byte over time',
    dash: 'A dash marks a step without measurements.',
    days: (n: number) => `${count(n)} ${n === 1 ? 'day' : 'days'}`,
  },
  pauses: {
    name: 'Pauses',
    title: 'Pauses and handshakes',
    nothing: 'No browser reported the time since its last response from this host.',
    note: (found: string) =>
      `Requests by the time since the browser’s last response from this host, log axis. ${found}`,
    table: 'Requests by pause',
    from: 'Pause from',
    to: 'to',
    reused: 'Reused connection',
    opened: 'New connection',
    first: 'A browser’s first request to a host has no preceding pause and is not counted here.',
    noneOpened: 'No new connection followed an earlier response, so no timeout can be detected.',
    noTimeout: (opened: number) =>
      `${count(opened)} new connections followed an earlier response, but no pause length separates them from reused ones. This suggests parallel connections or connections closed by the server, not a keep-alive timeout.`,
    longTimeout: (pause: string, forced: number, opened: number, share: string) =>
      `Connections close after about ${pause} without a request, which is longer than most pauses on a page: ${count(forced)} of ${count(opened)} new connections (${share}) came later. Browsers close idle connections themselves, Firefox after about 2 minutes, Chromium after 5.`,
    timeout: (pause: string, forced: number, opened: number, share: string, early: number) =>
      `Connections close after about ${pause} without a request: ${count(forced)} of ${count(opened)} new connections (${share}) came after a longer pause. A keep-alive timeout longer than your users’ pauses would save these handshakes.${early > 0 ? ` ${count(early)} came sooner: opened in parallel, or after the server closed a connection.` : ''}`,
  },
  scenarios: {
    title: 'Distribution of each scenario',
    note: 'Requests by time to the last byte, ms, log axis. Each row has its own vertical scale.',
    words: (names: string) => `Histograms of ${names}.`,
  },
};
