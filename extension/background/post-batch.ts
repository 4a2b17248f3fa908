import type { BatchAnswer, RejectedRow, WireBatch } from '../../shared/wire/wire-batch.ts';
import { DROPPED_BATCH_CODES } from '../../shared/wire/wire-codes.ts';
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
  { collector, key }: Pick<Enrolment, 'collector' | 'key'>,
  batch: WireBatch,
  environment: Pick<Environment, 'fetch'>,
): Promise<PostOutcome> {
  let response: Response;
  let answer: unknown;
  try {
    response = await environment.fetch(`${collector}/api/v1/batches`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      body: await gzip(JSON.stringify(batch)),
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    answer = await response.json().catch(() => null);
  } catch {
    return { outcome: 'later', code: 'unreachable', retryAfter: null };
  }
  const { status } = response;
  // A captive portal also answers 200; only the collector knows the batch's id.
  if (status === 200 && isAnswer(answer, batch.batch)) return { outcome: 'stored', rejected: answer.rejected };
  if (status === 200) return { outcome: 'later', code: 'unreadable', retryAfter: null };
  const named = errorCode(answer);
  const code = named ?? `http_${status}`;
  if (status === 401 || status === 403) return { outcome: 'refused_key', code };
  if (status >= 400 && status < 500 && named !== null && NEVER.has(named)) return { outcome: 'refused_batch', code };
  return { outcome: 'later', code, retryAfter: response.headers.get('retry-after') };
}

function gzip(text: string): Promise<ArrayBuffer> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
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
