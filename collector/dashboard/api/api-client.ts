import type { SummaryDocument } from '../../analysis/summary/summary-document.ts';
import type { ViewQuery } from '../query-cache/query-state.ts';
import { t } from '../text/t.ts';
import { ApiError, UnreachableError } from './api-error.ts';
import { PROGRESS_TYPE, type ReportProgress, readLines } from './read-lines.ts';

export type SessionRole = 'read' | 'admin';

/** All access to the collector. Every method throws ApiError, UnreachableError, or the AbortError of its signal. */
export interface ApiClient {
  /** The role of the current session; null if there is none. */
  role(): Promise<SessionRole | null>;
  signIn(token: string): Promise<SessionRole>;
  signOut(): Promise<void>;
  summary(query: string, signal?: AbortSignal, report?: ReportProgress): Promise<SummaryDocument>;
  /** A document of `/api/v1`, `path` without that prefix; `report` is called with the progress of a long query. */
  read<Document>(path: string, signal?: AbortSignal, report?: ReportProgress): Promise<Document>;
  /** The document as a query whose key is its path. */
  query<Document>(path: string): ViewQuery<Document>;
  /** Posts JSON and returns the document of the answer. */
  post<Document>(path: string, body: unknown): Promise<Document>;
  /** Any other request, with the response headers (an ETag). */
  send(path: string, init: RequestInit): Promise<{ readonly headers: Headers; readonly document: unknown }>;
}

const API = '/api/v1';
const texts = t.app.errors;

export function createApiClient(fetcher: typeof fetch): ApiClient {
  async function reach(path: string, init: RequestInit): Promise<Response> {
    // Tables and rules in answers are in the page's language, which need not be the browser's.
    const headers = new Headers(init.headers);
    headers.set('accept-language', t.language);
    const request = { credentials: 'same-origin', cache: 'no-store', redirect: 'error', ...init, headers } as const;
    try {
      return await fetcher(API + path, request);
    } catch (error) {
      throw lost(error);
    }
  }

  async function send(path: string, init: RequestInit = {}) {
    const response = await reach(path, init);
    return { headers: response.headers, document: await checked(response) };
  }

  async function call(path: string, init: RequestInit = {}): Promise<unknown> {
    return (await send(path, init)).document;
  }

  async function read<Document>(path: string, signal?: AbortSignal, report?: ReportProgress): Promise<Document> {
    const init = signal === undefined ? {} : { signal };
    if (report === undefined) return (await call(path, init)) as Document;
    const response = await reach(path, { ...init, headers: { accept: `${PROGRESS_TYPE}, application/json` } });
    const lines = response.ok && response.headers.get('content-type')?.startsWith(PROGRESS_TYPE) ? response.body : null;
    if (lines === null) return (await checked(response)) as Document;
    const last = await readLines(lines, report).catch((error: unknown) => {
      throw lost(error);
    });
    if (last === null) throw new UnreachableError();
    // The query failed after the response had started with status 200.
    if ('error' in last) throw toApiError(500, last);
    return last.answer as Document;
  }

  return {
    async role() {
      try {
        return roleOf(await call('/session'));
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) return null;
        throw error;
      }
    },
    async signIn(token) {
      const body = JSON.stringify({ token });
      return roleOf(await call('/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body }));
    },
    async signOut() {
      await call('/session', { method: 'DELETE' });
    },
    async summary(query, signal, report) {
      return read<SummaryDocument>(`/summary?${query}`, signal, report);
    },
    read,
    query: <Document>(path: string) => ({ key: path, read: (signal: AbortSignal) => read<Document>(path, signal) }),
    async post<Document>(path: string, body: unknown) {
      const headers = { 'content-type': 'application/json' };
      return (await call(path, { method: 'POST', headers, body: JSON.stringify(body) })) as Document;
    },
    send,
  };
}

/** Anything that fetch throws, other than an abort, means that there is no connection. */
function lost(error: unknown): unknown {
  return error instanceof DOMException && error.name === 'AbortError' ? error : new UnreachableError();
}

async function checked(response: Response): Promise<unknown> {
  const body = await readJson(response);
  if (!response.ok) throw toApiError(response.status, body);
  return body;
}

/** Null if the body is not JSON: a proxy's error page, or empty. */
async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    return null;
  }
}

function roleOf(body: unknown): SessionRole {
  const role = isRecord(body) ? body.role : null;
  if (role === 'read' || role === 'admin') return role;
  throw new ApiError(502, 'unexpected_answer', texts.notACollector, texts.checkAddress);
}

function toApiError(status: number, body: unknown): ApiError {
  const error = isRecord(body) && isRecord(body.error) ? body.error : {};
  return new ApiError(
    status,
    textOr(error.code, `http_${status}`),
    textOr(error.message, texts.status(status)),
    textOr(error.hint, ''),
  );
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' && value !== '' ? value : fallback;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
