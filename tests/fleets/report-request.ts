import type { TimeName } from '../../shared/vocabulary/time-names.ts';
import { TIME_NAMES } from '../../shared/vocabulary/time-names.ts';
import type {
  HandshakeEvidence,
  ResourceType,
  ResponseMark,
  UnknownReason,
} from '../../shared/vocabulary/vocabulary.ts';
import type { Browser } from './browser.ts';
import type { HostPlan } from './plan.ts';
import type { Exchange } from './play-request.ts';
import type { RandomStream } from './random-stream.ts';
import type { Reasons, Row, Times } from './write-batch.ts';

/** What is known of a request beside its exchange. */
export interface Asked {
  readonly target: string;
  readonly host: HostPlan;
  readonly template: string;
  readonly type: ResourceType;
  readonly source: string;
  readonly bytes: number;
  /** Known once the page view is over. */
  idleMs: number | null;
  readonly status: number;
  readonly hidden: boolean;
  /** Of another origin that allows no timing. */
  readonly opaque: boolean;
  readonly redirectMs: number;
}

/** Of Firefox's new connections that begin where the request does: what it spent in the queue is in the connect. */
const QUEUED_SHARE = 0.05;
/** Of Firefox's lookups that it puts before domainLookupStart. */
const HIDDEN_LOOKUP_SHARE = 0.6;
/** Of Firefox's early stamps that webRequest corrects, and how late the correction is, ms. */
const CORRECTED_SHARE = 0.85;
const CORRECTION_MS = [4, 12] as const;
/** Server-Timing counts less than what the client sees of the server. */
const TOLD_SERVER_SHARE = 0.97;
const HEADER_BYTES = 300;
const ERROR_BYTES = 800;
const TLS_VERSIONS = { '1.2': 'TLSv1.2', '1.3': 'TLSv1.3' } as const;
const HIDING_STEPS = 2;
const TEXT_TYPES: readonly ResourceType[] = ['document', 'script', 'style', 'fetch'];
const TEXT_RATIO = 3.4;

/** A request that went over the network, as the browser stamps it. */
export function reportRequest(browser: Browser, asked: Asked, exchange: Exchange, random: RandomStream): Row {
  if (asked.opaque) return reportHidden(browser, asked, exchange, 'opaque', null);
  const { host, type } = asked;
  const { times, unknown, responseMark } = browser.firefox
    ? stampsOfFirefox(browser, asked, exchange, random)
    : stampsOfChromium(browser, asked, exchange);
  const handshakeEvidence = handshakeEvidenceOf(browser, host, exchange, times);
  const failed = asked.status >= 400;
  const bytes = Math.round(failed ? ERROR_BYTES : asked.bytes);
  const tellsTls = browser.firefox && host.scheme === 'https';
  const server = Math.max(100, Math.round(exchange.server * TOLD_SERVER_SHARE * 1000));
  return {
    at: Math.round(exchange.start),
    target: asked.target,
    host: host.name,
    scheme: host.scheme,
    template: asked.template,
    type,
    source: asked.source,
    protocol: exchange.protocol,
    connection: exchange.fresh ? 'new' : 'reused',
    connectionEvidence: exchange.fresh ? 'connect_took_time' : 'connect_at_fetch_start',
    handshake:
      handshakeEvidence === null
        ? 'unknown'
        : exchange.resumed || handshakeEvidence !== 'server_timing'
          ? 'resumed'
          : 'full',
    handshakeEvidence,
    excluded: failed ? 'status' : asked.redirectMs > 0 ? 'redirect' : asked.hidden ? 'hidden' : null,
    error: null,
    responseMark,
    times,
    unknown,
    tlsVersion: tellsTls ? TLS_VERSIONS[exchange.tlsVersion] : null,
    tlsIssuer: tellsTls ? exchange.issuer : null,
    status: asked.status,
    transferSize: bytes + HEADER_BYTES,
    encodedBodySize: bytes,
    decodedBodySize: decoded(type, bytes),
    idleMs: asked.idleMs,
    serverTime: host.serverTiming && times.wait !== null ? Math.min(times.wait, server) : null,
  };
}

/** From the cache: nothing of it went over the network. */
export function reportCached(browser: Browser, asked: Asked, at: number, took: number): Row {
  if (asked.opaque) return reportHidden(browser, asked, { start: at, end: at + took }, 'opaque', null);
  const bytes = Math.round(asked.bytes);
  return {
    at: Math.round(at),
    target: asked.target,
    host: asked.host.name,
    scheme: asked.host.scheme,
    template: asked.template,
    type: asked.type,
    source: asked.source,
    protocol: asked.host.protocol,
    connection: 'cache',
    connectionEvidence: browser.firefox ? 'body_without_transfer' : 'delivery_type_cache',
    handshake: 'unknown',
    handshakeEvidence: null,
    excluded: asked.hidden ? 'hidden' : null,
    error: null,
    responseMark: null,
    times: NO_TIMES,
    unknown: ALL_CACHED,
    tlsVersion: null,
    tlsIssuer: null,
    status: 200,
    transferSize: 0,
    encodedBodySize: bytes,
    decodedBodySize: decoded(asked.type, bytes),
    idleMs: null,
    serverTime: null,
  };
}

/** Hidden or failed: only its start and its end are known. */
export function reportHidden(
  { clockStep }: Browser,
  asked: Asked,
  { start, end }: { readonly start: number; readonly end: number },
  how: 'opaque' | 'failed',
  error: string | null,
): Row {
  return {
    at: Math.round(start),
    target: asked.target,
    host: asked.host.name,
    scheme: asked.host.scheme,
    template: asked.template,
    type: asked.type,
    source: asked.source,
    protocol: null,
    connection: how,
    connectionEvidence: how === 'opaque' ? 'hidden_stamps' : 'web_request_error',
    handshake: 'unknown',
    handshakeEvidence: null,
    excluded: how === 'failed' ? 'failed' : asked.hidden ? 'hidden' : null,
    error,
    responseMark: null,
    times: onlyTotal(Math.max(clockStep, toSteps(end - start, clockStep))),
    unknown: how === 'opaque' ? HIDDEN_BUT_TOTAL : FAILED_BUT_TOTAL,
    tlsVersion: null,
    tlsIssuer: null,
    status: null,
    transferSize: null,
    encodedBodySize: null,
    decodedBodySize: null,
    idleMs: asked.idleMs,
    serverTime: null,
  };
}

function onlyTotal(ttlb: number | null): Times {
  return {
    blocked: null,
    dns: null,
    tcp: null,
    tls: null,
    wait: null,
    receive: null,
    redirect: null,
    ttfb: null,
    ttlb,
  };
}

function reasonsBut(reason: UnknownReason, known: readonly TimeName[]): Reasons {
  return Object.fromEntries(TIME_NAMES.filter((name) => !known.includes(name)).map((name) => [name, reason]));
}

const NO_TIMES = onlyTotal(null);
const ALL_CACHED = reasonsBut('cache', []);
const HIDDEN_BUT_TOTAL = reasonsBut('opaque', ['ttlb']);
const FAILED_BUT_TOTAL = reasonsBut('failed', ['ttlb']);

function toSteps(ms: number, clockStep: number): number {
  return Math.round((ms * 1000) / clockStep) * clockStep;
}

interface Stamped {
  readonly times: Times;
  readonly unknown: Reasons;
  readonly responseMark: ResponseMark | null;
}

/** Chromium proves a connection's start by a lookup that took time; else it says how long tls took, and not tcp. */
function stampsOfChromium({ clockStep }: Browser, { host, redirectMs, source }: Asked, exchange: Exchange): Stamped {
  const steps = (ms: number) => toSteps(ms, clockStep);
  const { fresh } = exchange;
  const tcp = fresh ? Math.max(clockStep, steps(exchange.tcp)) : 0;
  const tls = fresh && host.scheme === 'https' ? Math.max(clockStep, steps(exchange.tls)) : 0;
  const times = addedUp(
    steps(exchange.blocked),
    steps(exchange.dns),
    tcp,
    tls,
    steps(exchange.wait),
    steps(exchange.receive),
    steps(redirectMs),
  );
  const unknown: Reasons = {};
  if (fresh && (times.dns ?? 0) === 0 && exchange.protocol !== 'h3' && source === 'page')
    hide(times, unknown, 'tcp', 'begun_earlier');
  noteTransport(times, unknown, host, exchange);
  return { times, unknown, responseMark: null };
}

function stampsOfFirefox({ clockStep }: Browser, asked: Asked, exchange: Exchange, random: RandomStream): Stamped {
  const steps = (ms: number) => toSteps(ms, clockStep);
  const { fresh } = exchange;
  const { host, source } = asked;
  const secure = host.scheme === 'https';
  const [luck, hides, late] = [random.uniform(), random.uniform(), random.uniform()];
  const tcp = fresh ? Math.max(clockStep, steps(exchange.tcp)) : 0;
  const tls = fresh && secure ? Math.max(clockStep, steps(exchange.tls)) : 0;
  let blocked = steps(exchange.blocked);
  let dns = steps(exchange.dns);
  const queued =
    fresh && source === 'page' && (luck < QUEUED_SHARE || blocked + dns === 0) && exchange.protocol !== 'h3';
  const hiddenLookup = fresh && !queued && (dns === 0 || hides < HIDDEN_LOOKUP_SHARE);
  if (hiddenLookup) [blocked, dns] = [blocked + dns, 0];
  const times = addedUp(blocked, dns, tcp, tls, steps(exchange.wait), steps(exchange.receive), steps(asked.redirectMs));
  const unknown: Reasons = {};
  let responseMark: ResponseMark | null = null;
  if (queued) {
    // All of it lies between connectStart, which is fetchStart, and secureConnectionStart.
    times.blocked = 0;
    times.dns = 0;
    hide(times, unknown, 'tcp', 'queued');
  } else if (hiddenLookup && blocked > HIDING_STEPS * clockStep) hide(times, unknown, 'dns', 'firefox_dns');
  if (
    fresh &&
    secure &&
    exchange.protocol === 'http/1.1' &&
    exchange.tlsVersion === '1.3' &&
    !(host.tellsHandshake && exchange.resumed)
  ) {
    if (late < CORRECTED_SHARE) {
      responseMark = 'web_request';
      correct(times, steps(CORRECTION_MS[0] + ((CORRECTION_MS[1] - CORRECTION_MS[0]) * late) / CORRECTED_SHARE));
    } else for (const name of ['wait', 'receive', 'ttfb'] as const) hide(times, unknown, name, 'firefox_tls13');
  }
  noteTransport(times, unknown, host, exchange);
  return { times, unknown, responseMark };
}

/** `receive` shrinks by what `wait` gains. */
function correct(times: Times, late: number): void {
  const gain = Math.min(late, times.receive ?? 0);
  times.wait = (times.wait ?? 0) + gain;
  times.receive = (times.receive ?? 0) - gain;
  times.ttfb = (times.ttfb ?? 0) + gain;
}

function noteTransport(times: Times, unknown: Reasons, host: HostPlan, exchange: Exchange): void {
  if (host.scheme === 'http') hide(times, unknown, 'tls', 'plain_http');
  else if (exchange.fresh && exchange.protocol === 'h3') {
    // One exchange for transport and TLS.
    times.tls = (times.tcp ?? 0) + (times.tls ?? 0);
    hide(times, unknown, 'tcp', 'merged_h3');
  }
}

function hide(times: Times, unknown: Reasons, name: TimeName, reason: UnknownReason): void {
  times[name] = null;
  unknown[name] = reason;
}

function addedUp(
  blocked: number,
  dns: number,
  tcp: number,
  tls: number,
  wait: number,
  receive: number,
  redirect: number,
): Times {
  const ttfb = blocked + dns + tcp + tls + wait;
  return { blocked, dns, tcp, tls, wait, receive, redirect, ttfb, ttlb: ttfb + receive };
}

function handshakeEvidenceOf(
  browser: Browser,
  host: HostPlan,
  { fresh, tlsVersion }: Exchange,
  { tcp, tls }: Times,
): HandshakeEvidence | null {
  if (!fresh || host.scheme === 'http') return null;
  if (host.tellsHandshake && browser.site.inspection === undefined) return 'server_timing';
  const proves = browser.firefox && tlsVersion === '1.2' && tcp !== null && tcp >= 5 * browser.clockStep;
  return proves && tls !== null && tls <= 1.3 * tcp ? 'firefox_tls12_round_trips' : null;
}

function decoded(type: ResourceType, bytes: number): number {
  return TEXT_TYPES.includes(type) ? Math.round(bytes * TEXT_RATIO) : bytes;
}
