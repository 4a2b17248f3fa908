import { classifyConnection, isPrerendered } from '../classify/connection.ts';
import { findExclusion } from '../classify/exclusion.ts';
import { classifyHandshake } from '../classify/handshake.ts';
import { toProtocol } from '../classify/protocol.ts';
import { classifyResource } from '../classify/resource-type.ts';
import { type HttpUrl, parseHttpUrl } from '../redact/http-url.ts';
import { toTemplate } from '../redact/path-template.ts';
import type { TemplateRule } from '../redact/template-rules.ts';
import type { EntryContext } from '../timing/entry-context.ts';
import { measurePhases, type PhaseMeasure } from '../timing/phases.ts';
import { wasRedirected } from '../timing/redirects.ts';
import { readServerTiming } from '../timing/server-timing.ts';
import { beganAt } from '../timing/stamps.ts';
import type { TimingEntry } from '../timing/timing-entry.ts';
import type { Connection, Handshake } from '../vocabulary/vocabulary.ts';
import type { Sample } from './sample.ts';

const MAX_ERROR_LENGTH = 64;

export interface SampleOptions {
  /** Id of the target. */
  readonly target: string;
  /** `page` or `probe-<scenario>`. */
  readonly source: string;
  /** The admin's own rules for paths; the first match wins. */
  readonly templateRules?: readonly TemplateRule[];
  /** Server-Timing metrics to keep by name. */
  readonly serverTimingMetrics?: readonly string[];
  /** From `idleBefore`. */
  readonly idleMs?: number | null;
  /** What a probe's method proves about the handshake. */
  readonly provenHandshake?: Handshake | null;
  /** One of a probe's warm-up requests. */
  readonly warmup?: boolean;
  /** The frame that an `iframe` entry loads is observed itself, and reports the same request as its navigation. */
  readonly frameIsObserved?: boolean;
}

export type NoSampleReason =
  /** `data:`, `blob:`, an extension's own file: not a request of a target. */
  | 'not_http'
  /** A navigation entry without responseEnd: the final one is still to come. */
  | 'unfinished'
  /** The same request is reported as the navigation entry of its own frame. */
  | 'seen_in_its_frame'
  /** Not even its wall-clock time is known. */
  | 'no_time';

export type MadeSample =
  | {
      readonly sample: Sample;
      readonly reason: null;
      /** Its server time is left out because it cannot be right. */
      readonly serverTimeRefused: boolean;
    }
  | { readonly sample: null; readonly reason: NoSampleReason };

/** One entry as a sample ready to leave the browser, or the reason why there is none. Never throws. */
export function makeSample(entry: TimingEntry, context: EntryContext, options: SampleOptions): MadeSample {
  const url = parseHttpUrl(entry.name);
  if (url === null) return none('not_http');
  if (entry.responseEnd === 0) return none('unfinished');
  if (options.frameIsObserved === true && isFrameLoad(entry)) return none('seen_in_its_frame');
  // What was prerendered belongs to the page view that begins when it is shown.
  const shownAt = isPrerendered(entry, context) ? context.activationStart || entry.activationStart : null;
  const at = Math.round(context.timeOrigin + Math.max(beganAt(entry), shownAt ?? -Infinity));
  if (!Number.isSafeInteger(at) || at < 0) return none('no_time');

  const { connection, evidence } = classifyConnection(entry, context);
  const measure = measurePhases(entry, context, connection);
  const handshake = classifyHandshake(entry, context, connection, options.provenHandshake);
  const { serverTime, metrics, refused } = readServerTiming(
    entry.serverTiming,
    options.serverTimingMetrics ?? [],
    // What comes from a cache or a worker may have taken the server long before.
    connection === 'new' || connection === 'reused' ? measure.times.ttlb : null,
  );
  const sample: Sample = {
    at,
    target: options.target,
    ...whatOf(entry, context, url, options),
    source: options.source,
    connection,
    connectionEvidence: evidence,
    handshake: handshake.handshake,
    handshakeEvidence: handshake.evidence,
    excluded: excludedBy(entry, context, options, connection, measure),
    status: statusOf(entry),
    error: connection === 'failed' ? toErrorCode(context.error ?? null) : null,
    times: measure.times,
    unknown: measure.unknown,
    ...(measure.responseMark === null || measure.responseMark === 'response_start'
      ? {}
      : { responseMark: measure.responseMark }),
    ...sizesOf(entry, connection),
    idleMs: options.idleMs ?? null,
    serverTime,
    metrics,
    tls: context.observed?.tls ?? null,
  };
  return { sample, reason: null, serverTimeRefused: refused };
}

function none(reason: NoSampleReason): MadeSample {
  return { sample: null, reason };
}

function isFrameLoad(entry: TimingEntry): boolean {
  return entry.entryType === 'resource' && /^i?frame$/i.test(entry.initiatorType);
}

/** What was requested. HSTS turns http into https under the old name; secureConnectionStart reveals it. */
function whatOf(entry: TimingEntry, context: EntryContext, url: HttpUrl, options: SampleOptions) {
  return {
    host: url.hostname,
    scheme: entry.secureConnectionStart > 0 ? 'https' : url.scheme,
    template: toTemplate(url.pathname, options.templateRules),
    type: classifyResource(entry, context.topFrame),
    protocol: toProtocol(entry.nextHopProtocol),
  } as const;
}

function excludedBy(
  entry: TimingEntry,
  context: EntryContext,
  options: SampleOptions,
  connection: Connection,
  measure: PhaseMeasure,
) {
  return findExclusion({
    connection,
    invalid: measure.problem !== null,
    // 999 is no status of HTTP, and no successful response either.
    status: entry.responseStatus || null,
    redirected: wasRedirected(entry, context),
    challenged: context.challenged === true,
    warmup: options.warmup === true,
    hidden: context.hidden,
    bfcache: context.restoredFromBackForwardCache,
    prerender: isPrerendered(entry, context),
  });
}

/** A hidden status reads 0; codes from 600 on do not exist. https://www.rfc-editor.org/rfc/rfc9110#section-15 */
function statusOf({ responseStatus }: TimingEntry): number | null {
  return responseStatus !== null && Number.isInteger(responseStatus) && responseStatus >= 100 && responseStatus <= 599
    ? responseStatus
    : null;
}

/** A browser's error code as it may leave the browser; free text, which could contain a URL, becomes `other`. */
export function toErrorCode(error: string | null): string | null {
  if (error === null) return null;
  return error.length <= MAX_ERROR_LENGTH && /^(net::)?[A-Z][A-Z0-9_]*$/.test(error) ? error : 'other';
}

/** Sizes in bytes; null if the browser hides them: on opaque and failed entries 0 means "unknown". */
function sizesOf(
  entry: TimingEntry,
  connection: Connection,
): Pick<Sample, 'transferSize' | 'encodedBodySize' | 'decodedBodySize'> {
  const hidden = connection === 'opaque' || connection === 'failed';
  const told = (bytes: number) =>
    Number.isSafeInteger(bytes) && bytes >= 0 && !(hidden && bytes === 0) ? bytes : null;
  return {
    transferSize: told(entry.transferSize),
    encodedBodySize: told(entry.encodedBodySize),
    decodedBodySize: told(entry.decodedBodySize),
  };
}
