import { type AnyDimension, FEW_BROWSERS } from '../../../shared/vocabulary/dimensions.ts';
import type { Phase } from '../../../shared/vocabulary/time-names.ts';
import type { Connection, Exclusion, UnknownReason } from '../../../shared/vocabulary/vocabulary.ts';
import type { FoldedCells, TimeStatistics, Verdict, VerdictWord } from '../summary/summary-document.ts';
import { OF_ENGINE } from '../summary/summary-document.ts';

export const DIMENSION_LABELS: Readonly<Record<AnyDimension, string>> = {
  host: 'Host',
  type: 'Type',
  connection: 'Connection',
  protocol: 'Protocol',
  scheme: 'Scheme',
  scenario: 'Scenario',
  handshake: 'Handshake',
  source: 'Source',
  site: 'Site',
  target: 'Target',
  template: 'Page',
  browser: 'Browser',
  browserVersion: 'Browser version',
  extension: 'Extension',
};

/** Names of the wire format as the dashboard shows them. */
export const PHASE_LABELS: Readonly<Record<Phase, string>> = {
  blocked: 'Blocked',
  dns: 'DNS',
  tcp: 'TCP',
  tls: 'TLS',
  wait: 'Wait',
  receive: 'Receive',
};

export const PHASE_MEANINGS: Readonly<Record<Phase, string>> = {
  blocked: 'Waiting inside the browser: before the lookup, the connect and the request',
  dns: 'Name lookup, on new connections',
  tcp: 'TCP connect, on new connections',
  tls: 'TLS handshake, on new connections',
  wait: 'From request to the first byte: one round trip and the server',
  receive: 'From the first byte to the last',
};

export const VERDICT_LABELS: Readonly<Record<VerdictWord, string>> = {
  tls: 'TLS',
  network: 'Network',
  server: 'Server',
  download: 'Download',
  client: 'Client',
  unknown: 'No verdict',
};

export const VERDICT_MEANINGS: Readonly<Record<VerdictWord, string>> = {
  tls: 'TLS handshakes are the largest part of the average wait',
  network: 'Lookup, connect and one round trip are the largest part of the average wait',
  server: 'Waiting for the server is the largest part of the average wait',
  download: 'Receiving the body is the largest part of the average wait',
  client: 'Waiting inside the browser is the largest part of the average wait',
  unknown: 'No part is large enough to be the sole cause',
};

export const NO_VERDICT_WORDS: Readonly<Record<NonNullable<Verdict['reason']>, string>> = {
  no_samples: 'Nothing was measured',
  no_round_trip: 'No new connection was seen, so network and server cannot be separated',
  no_leader: 'No part is both 40 % of the average wait and 1.5 times the next one',
};

export const CONNECTION_LABELS: Readonly<Record<Connection, string>> = {
  new: 'new connection',
  reused: 'reused connection',
  cache: 'from cache',
  opaque: 'opaque',
  worker: 'service worker',
  failed: 'failed',
  unknown: 'unknown',
};

export const UNKNOWN_WORDS: Readonly<Record<UnknownReason | typeof OF_ENGINE, string>> = {
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
};

export const EXCLUSION_WORDS: Readonly<Record<Exclusion, string>> = {
  failed: 'failed',
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
};

export const KEEP_MEASURING_WORDS: Readonly<Record<TimeStatistics['keepMeasuring'][number], string>> = {
  few_samples: 'fewer than 30 samples',
  wide_quartiles: 'quartiles far apart',
  wide_interval: 'the median is not yet known to within 10 %',
};

/** The reader's word for a name; unknown ones, such as a newer collector's, are shown as they are. */
export function wordFor(table: Readonly<Record<string, string>>, word: string): string {
  return Object.hasOwn(table, word) ? (table[word] ?? word) : word;
}

/** Why some groups are not shown separately. */
export function foldedText({ below, shownTogether }: FoldedCells): string {
  const how = shownTogether ? `shown only together, as ${FEW_BROWSERS}` : 'left out';
  return `Groups of few browsers are ${how}, so that no number reveals anything about fewer than ${below} browsers, directly or by subtraction`;
}
