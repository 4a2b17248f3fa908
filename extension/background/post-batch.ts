import { BYTES_CONTENT_TYPE } from '../../shared/wire/byte-layout.ts';
import { encodeBytes } from '../../shared/wire/encode-bytes.ts';
import type { BatchAnswer, RejectedRow, WireBatch } from '../../shared/wire/wire-batch.ts';
import { DROPPED_BATCH_CODES } from '../../shared/wire/wire-codes.ts';
import { askCollector, type CollectorAnswer } from './ask-collector.ts';
import type { Enrolment } from './enrolment.ts';
import type { Environment } from './environment.ts';

/** Chromium stops a background that has waited half a minute for a response. */
const TIMEOUT_MS = 20_000;

/** The body as version 2 of the wire, or as JSON, version 1. */
type BatchForm = 'bytes' | 'json';

/** What to do with the batch; `code` is the collector's error code, or ours if it gave none. */
export type PostOutcome =
  | { readonly outcome: 'stored'; readonly form: BatchForm; readonly rejected: readonly RejectedRow[] }
  | { readonly outcome: 'refused_key'; readonly code: string }
  | { readonly outcome: 'refused_batch'; readonly code: string }
  | { readonly outcome: 'later'; readonly code: string; readonly retryAfter: string | null };

/**
 * The collector's codes for a batch that can never succeed, listed in docs/wire-format.md. Any other 4xx comes from
 * something in between (a proxy, a wrong path, a wrong host) and may be corrected, so the samples wait.
 */
const NEVER: ReadonlySet<string> = new Set(DROPPED_BATCH_CODES);

/**
 * As bytes, and as JSON too if the answer may mean that only JSON is accepted.
 *
 * @param jsonOnly bytes are not tried
 */
export async function postBatch(
  enrolment: Pick<Enrolment, 'collector' | 'key'>,
  batch: WireBatch,
  environment: Pick<Environment, 'fetch'>,
  jsonOnly: boolean,
): Promise<PostOutcome> {
  if (!jsonOnly) {
    const answer = await post(enrolment, encodeBytes(batch, utf8), BYTES_CONTENT_TYPE, environment);
    if (answer === null || !mayBeForm(answer)) return outcomeOf(answer, batch.batch, 'bytes');
  }
  const answer = await post(enrolment, JSON.stringify(batch), 'application/json', environment);
  return outcomeOf(answer, batch.batch, 'json');
}

async function post(
  enrolment: Pick<Enrolment, 'collector' | 'key'>,
  batch: BlobPart,
  contentType: string,
  environment: Pick<Environment, 'fetch'>,
): Promise<CollectorAnswer | null> {
  const headers = { 'content-type': contentType, 'content-encoding': 'gzip' };
  const body = await gzip(batch);
  return askCollector(enrolment, '/api/v1/batches', environment, TIMEOUT_MS, { method: 'POST', headers, body });
}

/** An older collector answers 415; a proxy that knows few media types any 4xx, and never with a code of the collector. */
function mayBeForm({ status, body }: CollectorAnswer): boolean {
  return status === 400 || status === 415 || (status > 400 && status < 500 && errorCode(body) === null);
}

function outcomeOf(answer: CollectorAnswer | null, batch: string, form: BatchForm): PostOutcome {
  if (answer === null) return { outcome: 'later', code: 'unreachable', retryAfter: null };
  const { status, body, headers } = answer;
  // A captive portal also answers 200; only the collector knows the batch's id.
  if (status === 200 && isAnswer(body, batch)) return { outcome: 'stored', form, rejected: body.rejected };
  if (status === 200) return { outcome: 'later', code: 'unreadable', retryAfter: null };
  const named = errorCode(body);
  const code = named ?? (status === 0 ? 'redirected' : `http_${status}`);
  if (status === 401 || status === 403) return { outcome: 'refused_key', code };
  if (status >= 400 && status < 500 && named !== null && NEVER.has(named)) return { outcome: 'refused_batch', code };
  return { outcome: 'later', code, retryAfter: headers.get('retry-after') };
}

const encoder = new TextEncoder();
const utf8 = (text: string) => encoder.encode(text);

function gzip(batch: BlobPart): Promise<ArrayBuffer> {
  const stream = new Blob([batch]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

function isAnswer(value: unknown, batch: string): value is BatchAnswer {
  if (typeof value !== 'object' || value === null) return false;
  const answer = value as Partial<BatchAnswer>;
  return answer.batch === batch && Array.isArray(answer.rejected);
}

function errorCode(value: unknown): string | null {
  const code = (value as { error?: { code?: unknown } } | null)?.error?.code;
  return typeof code === 'string' ? code.slice(0, 64) : null;
}
