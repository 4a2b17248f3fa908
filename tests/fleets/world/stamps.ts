import { TIME_NAMES, type TimeName } from '../../../shared/vocabulary/time-names.ts';
import type {
  HandshakeEvidence,
  ResourceType,
  ResponseMark,
  UnknownReason,
} from '../../../shared/vocabulary/vocabulary.ts';
import type { RandomStream } from '../random-stream.ts';
import type { Row } from '../write-batch.ts';
import type { Exchange } from './network.ts';
import type { Person } from './people.ts';
import type { HostTraits } from './world-plan.ts';

export interface Asked {
  readonly target: string;
  readonly host: string;
  readonly traits: HostTraits;
  readonly template: string;
  readonly type: ResourceType;
  readonly bytes: number;
  readonly ownOrigin: boolean;
  readonly hidden: boolean;
}

export interface Outcome {
  readonly status: number;
  /** ms; null where it crossed origins. */
  readonly redirect: number | null;
  readonly idleMs: number | null;
  readonly revalidated: boolean;
}

type Times = Record<TimeName, number | null>;
type Reasons = Partial<Record<TimeName, UnknownReason>>;

const HEADER_BYTES = 300;
const ERROR_BYTES = 700;
const TEXT_TYPES: readonly ResourceType[] = ['document', 'script', 'style', 'fetch', 'iframe'];
const TEXT_RATIO = 3.2;
const FIREFOX_QUEUED = 0.06;
const FIREFOX_HIDES_LOOKUP = 0.7;
const FIREFOX_CORRECTED = 0.8;
const PUBLIC_ISSUER = 'CN=Example Public CA 7,O=Example Trust';
const PROXY_ISSUER = 'CN=Gateway Inspection CA,O=Example Gateways';
const CODES = {
  chromium: {
    timed_out: 'net::ERR_CONNECTION_TIMED_OUT',
    reset: 'net::ERR_CONNECTION_RESET',
    aborted: 'net::ERR_ABORTED',
  },
  firefox: { timed_out: 'NS_ERROR_NET_TIMEOUT', reset: 'NS_ERROR_NET_RESET', aborted: 'NS_BINDING_ABORTED' },
} as const;

/** A request that went over the network, as the engine shows it. */
export function stampRequest(
  person: Person,
  asked: Asked,
  exchange: Exchange,
  outcome: Outcome,
  random: RandomStream,
): Row {
  const { traits, ownOrigin, type } = asked;
  const chromium = person.engine === 'chromium';
  if (chromium && !ownOrigin && !traits.allowsTiming) return stampOpaque(person, asked, exchange, outcome.idleMs);
  const { times, unknown, responseMark } = measured(person, asked, exchange, outcome.redirect, random);
  const failed = outcome.status >= 400;
  const evidence = handshakeEvidence(person, traits, exchange, times);
  const known304 = outcome.revalidated && chromium && !failed && outcome.redirect === 0;
  const bytes = failed ? ERROR_BYTES : known304 ? 0 : asked.bytes;
  const tellsTls = !chromium && traits.scheme === 'https';
  const redirected = outcome.redirect !== 0;
  return {
    ...plainRow(asked, exchange.at),
    protocol: !chromium && !ownOrigin && !traits.allowsTiming ? null : exchange.protocol,
    connection: known304 ? 'cache' : exchange.fresh ? 'new' : 'reused',
    connectionEvidence: known304 ? 'revalidated' : exchange.fresh ? 'connect_took_time' : 'connect_at_fetch_start',
    handshake: known304 || evidence === null ? 'unknown' : exchange.resumed ? 'resumed' : 'full',
    handshakeEvidence: known304 ? null : evidence,
    excluded: known304
      ? null
      : failed
        ? 'status'
        : redirected
          ? 'redirect'
          : exchange.challenged
            ? 'challenge'
            : asked.hidden
              ? 'hidden'
              : null,
    responseMark,
    times,
    unknown,
    tlsVersion: tellsTls ? (exchange.inspected || traits.tls === '1.2' ? 'TLSv1.2' : 'TLSv1.3') : null,
    tlsIssuer: tellsTls ? (exchange.inspected ? PROXY_ISSUER : PUBLIC_ISSUER) : null,
    status: outcome.status,
    transferSize: bytes + HEADER_BYTES,
    encodedBodySize: bytes,
    decodedBodySize: TEXT_TYPES.includes(type) ? Math.round(bytes * TEXT_RATIO) : bytes,
    idleMs: outcome.idleMs,
    serverTime:
      traits.serverTiming && times.wait !== null
        ? Math.min(times.wait, Math.max(100, Math.round(exchange.server * 970)))
        : null,
  };
}

/** From the browser's cache. Hidden from Chromium's content scripts where the host allows no timing. */
export function stampCached(person: Person, asked: Asked, at: number): Row {
  const chromium = person.engine === 'chromium';
  if (chromium && !asked.ownOrigin && !asked.traits.allowsTiming)
    return stampOpaque(person, asked, { at, end: at + 1.6 }, null);
  return {
    ...plainRow(asked, at),
    protocol: asked.traits.protocol,
    connection: 'cache',
    connectionEvidence: chromium ? 'delivery_type_cache' : 'body_without_transfer',
    excluded: asked.hidden ? 'hidden' : null,
    times: NO_TIMES,
    unknown: reasonsBut('cache', []),
    status: 200,
    transferSize: 0,
    encodedBodySize: asked.bytes,
    decodedBodySize: TEXT_TYPES.includes(asked.type) ? Math.round(asked.bytes * TEXT_RATIO) : asked.bytes,
  };
}

/** Firefox sets all stamps of a worker's answer at once. */
export function stampWorker(person: Person, asked: Asked, at: number, took: number): Row {
  const chromium = person.engine === 'chromium';
  const times = { ...NO_TIMES };
  if (chromium) times.ttlb = steps(took, person.clockStep);
  return {
    ...plainRow(asked, at),
    connection: 'worker',
    connectionEvidence: chromium ? 'worker_start' : 'answer_without_transfer',
    excluded: 'worker',
    times,
    unknown: reasonsBut('worker', chromium ? ['ttlb'] : []),
    status: 200,
    transferSize: chromium ? HEADER_BYTES : 0,
    encodedBodySize: chromium ? asked.bytes : 0,
    decodedBodySize: chromium ? asked.bytes : 0,
  };
}

/** The same request, if it had come to nothing after that time. */
export function stampFailed(person: Person, row: Row, took: number, why: 'timed_out' | 'reset' | 'aborted'): Row {
  return {
    ...row,
    protocol: null,
    connection: 'failed',
    connectionEvidence: 'web_request_error',
    handshake: 'unknown',
    handshakeEvidence: null,
    excluded: 'failed',
    error: CODES[person.engine][why],
    responseMark: null,
    times: { ...NO_TIMES, ttlb: Math.max(person.clockStep, steps(took, person.clockStep)) },
    unknown: reasonsBut('failed', ['ttlb']),
    tlsVersion: null,
    tlsIssuer: null,
    status: null,
    transferSize: null,
    encodedBodySize: null,
    decodedBodySize: null,
    serverTime: null,
  };
}

function stampOpaque(
  person: Person,
  asked: Asked,
  { at, end }: { at: number; end: number },
  idleMs: number | null,
): Row {
  return {
    ...plainRow(asked, at),
    connection: 'opaque',
    connectionEvidence: 'hidden_stamps',
    excluded: asked.hidden ? 'hidden' : null,
    times: { ...NO_TIMES, ttlb: Math.max(person.clockStep, steps(end - at, person.clockStep)) },
    unknown: reasonsBut('opaque', ['ttlb']),
    idleMs,
  };
}

function plainRow({ target, host, traits, template, type }: Asked, at: number): Row {
  return {
    at: Math.round(at),
    target,
    host,
    scheme: traits.scheme,
    template,
    type,
    source: 'page',
    protocol: null,
    connection: 'unknown',
    connectionEvidence: 'stamps_missing',
    handshake: 'unknown',
    handshakeEvidence: null,
    excluded: null,
    error: null,
    responseMark: null,
    times: NO_TIMES,
    unknown: {},
    tlsVersion: null,
    tlsIssuer: null,
    status: null,
    transferSize: null,
    encodedBodySize: null,
    decodedBodySize: null,
    idleMs: null,
    serverTime: null,
  };
}

function measured(
  { engine, clockStep }: Person,
  { traits }: Asked,
  exchange: Exchange,
  redirect: number | null,
  random: RandomStream,
): { times: Times; unknown: Reasons; responseMark: ResponseMark | null } {
  const [queueLuck, lookupLuck, markLuck, late] = [
    random.uniform(),
    random.uniform(),
    random.uniform(),
    random.uniform(),
  ];
  const { fresh, protocol } = exchange;
  const secure = traits.scheme === 'https';
  const firefox = engine === 'firefox';
  const tcp = fresh ? Math.max(clockStep, steps(exchange.tcp, clockStep)) : 0;
  const tls = fresh && secure ? Math.max(clockStep, steps(exchange.tls, clockStep)) : 0;
  let [blocked, dns] = [steps(exchange.blocked, clockStep), steps(exchange.dns, clockStep)];
  let [wait, receive] = [steps(exchange.wait, clockStep), steps(exchange.receive, clockStep)];
  const unknown: Reasons = {};
  let responseMark: ResponseMark | null = null;
  const ttlb = blocked + dns + tcp + tls + wait + receive;
  if (fresh && firefox && protocol !== 'h3' && (blocked + dns === 0 || queueLuck < FIREFOX_QUEUED)) {
    // connectStart stays at fetchStart, however long the request was queued.
    unknown.tcp = 'queued';
    blocked = 0;
    dns = 0;
  } else if (fresh && firefox && (dns === 0 || lookupLuck < FIREFOX_HIDES_LOOKUP)) {
    blocked += dns;
    dns = 0;
    if (blocked > 2 * clockStep) unknown.dns = 'firefox_dns';
  } else if (fresh && !firefox && dns === 0 && protocol !== 'h3') unknown.tcp = 'begun_earlier';
  if (
    firefox &&
    fresh &&
    secure &&
    protocol === 'http/1.1' &&
    traits.tls === '1.3' &&
    !exchange.inspected &&
    !exchange.resumed
  ) {
    if (markLuck < FIREFOX_CORRECTED) {
      responseMark = 'web_request';
      const gain = Math.min(receive, steps(4 + 8 * late, clockStep));
      [wait, receive] = [wait + gain, receive - gain];
    } else unknown.wait = unknown.receive = unknown.ttfb = 'firefox_tls13';
  }
  const merged = fresh && protocol === 'h3';
  if (merged) unknown.tcp = 'merged_h3';
  if (!secure) unknown.tls = 'plain_http';
  if (redirect === null) unknown.redirect = 'hidden_redirect';
  const times: Times = {
    blocked,
    dns,
    tcp,
    tls: merged ? tcp + tls : tls,
    wait,
    receive,
    redirect: redirect === null ? null : steps(redirect, clockStep),
    ttfb: ttlb - receive,
    ttlb,
  };
  for (const name of TIME_NAMES) if (unknown[name] !== undefined) times[name] = null;
  return { times, unknown, responseMark };
}

function handshakeEvidence(
  { engine, clockStep }: Person,
  { scheme, tellsHandshake, tls: version }: HostTraits,
  { fresh, inspected }: Exchange,
  { tcp, tls }: Times,
): HandshakeEvidence | null {
  if (!fresh || scheme === 'http') return null;
  if (tellsHandshake && !inspected) return 'server_timing';
  const proves = engine === 'firefox' && version === '1.2' && !inspected && tcp !== null && tcp >= 5 * clockStep;
  return proves && tls !== null && tls <= 1.3 * tcp ? 'firefox_tls12_round_trips' : null;
}

function steps(ms: number, clockStep: number): number {
  return Math.max(0, Math.round((ms * 1000) / clockStep) * clockStep);
}

const NO_TIMES = Object.freeze(Object.fromEntries(TIME_NAMES.map((name) => [name, null]))) as Times;
const REASONS = new Map<string, Reasons>();

function reasonsBut(reason: UnknownReason, known: readonly TimeName[]): Reasons {
  const key = `${reason} ${known}`;
  let reasons = REASONS.get(key);
  if (reasons === undefined) {
    reasons = Object.fromEntries(TIME_NAMES.filter((name) => !known.includes(name)).map((name) => [name, reason]));
    REASONS.set(key, reasons);
  }
  return reasons;
}
