import type { Enrolment } from './enrolment.ts';
import type { Environment } from './environment.ts';

/** A settings document has at most half of it; the answer to a batch of 1,000 rows a tenth. */
const MAX_BYTES = 1024 * 1024;

export interface CollectorAnswer {
  /** 0 for a redirect: it is not followed, and the browser hides where it leads. */
  readonly status: number;
  readonly headers: Headers;
  /** null if it is not JSON, or longer than any answer of a collector. */
  readonly body: unknown;
}

/** One request to the collector. null if there is no answer in time. */
export async function askCollector(
  { collector, key }: Pick<Enrolment, 'collector' | 'key'>,
  path: string,
  environment: Pick<Environment, 'fetch'>,
  timeoutMs: number,
  { headers, ...init }: Pick<RequestInit, 'method' | 'body'> & { readonly headers?: Record<string, string> } = {},
): Promise<CollectorAnswer | null> {
  try {
    const response = await environment.fetch(`${collector}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...headers },
      cache: 'no-store',
      credentials: 'omit',
      // The key and the samples are for this address only.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, headers: response.headers, body: await readJson(response).catch(() => null) };
  } catch {
    return null;
  }
}

async function readJson({ body }: Response): Promise<unknown> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ; ) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done) return JSON.parse(text);
    bytes += value?.byteLength ?? 0;
    if (bytes > MAX_BYTES) {
      await reader?.cancel();
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}
