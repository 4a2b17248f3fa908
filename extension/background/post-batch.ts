import type { BatchAnswer, RejectedRow, WireBatch } from '../../shared/wire/wire-batch.ts';
import { DROPPED_BATCH_CODES } from '../../shared/wire/wire-codes.ts';
import { askCollector, type CollectorAnswer } from './ask-collector.ts';
import type { Enrolment } from './enrolment.ts';
import type { Environment } from './environment.ts';

/** Chromium stops a background that has waited half a minute for a response. */
const TIMEOUT_MS = 20_000;

/** What to do with the batch; `code` is the collector's error code, or ours if it gave none. */
export type PostOutcome =
  | { readonly outcome: 'stored'; readonly rejected: readonly RejectedRow[] }
  | { readonly outcome: 'refused_key'; readonly code: string }
  | { readonly outcome: 'refused_batch'; readonly code: string }
  | { readonly outcome: 'later'; readonly code: string; readonly retryAfter: string | null };

/**
 * The collector's codes for a batch that can never succeed, listed in docs/wire-format.md. Any other 4xx comes from
 * something in between (a proxy, a wrong path, a wrong host) and may be corrected, so the samples wait.
 */
const NEVER: ReadonlySet<string> = new Set(DROPPED_BATCH_CODES);

export async function postBatch(
  enrolment: Pick<Enrolment, 'collector' | 'key'>,
  batch: WireBatch,
  environment: Pick<Environment, 'fetch'>,
): Promise<PostOutcome> {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const body = await gzip(JSON.stringify(batch));
  const request = { method: 'POST', headers, body };
  return outcomeOf(await askCollector(enrolment, '/api/v1/batches', environment, TIMEOUT_MS, request), batch.batch);
}

function outcomeOf(answer: CollectorAnswer | null, batch: string): PostOutcome {
  if (answer === null) return { outcome: 'later', code: 'unreachable', retryAfter: null };
  const { status, body, headers } = answer;
  // A captive portal also answers 200; only the collector knows the batch's id.
  if (status === 200 && isAnswer(body, batch)) return { outcome: 'stored', rejected: body.rejected };
  if (status === 200) return { outcome: 'later', code: 'unreadable', retryAfter: null };
  const named = errorCode(body);
  const code = named ?? (status === 0 ? 'redirected' : `http_${status}`);
  if (status === 401 || status === 403) return { outcome: 'refused_key', code };
  if (status >= 400 && status < 500 && named !== null && NEVER.has(named)) return { outcome: 'refused_batch', code };
  return { outcome: 'later', code, retryAfter: headers.get('retry-after') };
}

function gzip(batch: string): Promise<ArrayBuffer> {
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
