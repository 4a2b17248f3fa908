import { parseHttpUrl } from '../redact/http-url.ts';
import type { PageLoad, PageRequest } from './action.ts';

/** A request as the browser reports it, by its own clock: epoch ms. */
export interface SeenRequest extends PageRequest {
  readonly url: string;
  /** Asked for the page itself. */
  readonly isDocument: boolean;
  readonly status: number | null;
  /** The browser's code; null unless it failed. */
  readonly error: string | null;
  readonly opened: boolean;
  readonly cached: boolean;
  readonly bytes: number;
  /** As in Resource Timing. */
  readonly initiatorType: string;
  /** null if unknown. */
  readonly stamps: RequestStamps | null;
}

/** Epoch ms, as developer tools have them; 0 for what did not happen. The names are those of Resource Timing. */
export interface RequestStamps {
  readonly domainLookupStart: number;
  readonly domainLookupEnd: number;
  readonly connectStart: number;
  readonly secureConnectionStart: number;
  readonly connectEnd: number;
  readonly requestStart: number;
  readonly responseStart: number;
  /** ALPN id. */
  readonly protocol: string;
  readonly contentType: string;
}

type Open<T> = { -readonly [Name in keyof T]: T[Name] };

/** What the page requests and loads, written down as the browser reports it. */
export class PageActivityLog {
  readonly requests: Open<SeenRequest>[] = [];
  readonly loads: Open<PageLoad>[] = [];
  /** Errors in the console of the most recently requested document. */
  consoleErrors = 0;
  readonly #open = new Map<string, Open<SeenRequest>>();
  readonly #connections = new Set<number>();
  #loadedAt = -Infinity;

  begin(
    id: string,
    at: number,
    facts: Pick<SeenRequest, 'url' | 'holds' | 'byScript' | 'isDocument' | 'initiatorType'> & { method: string },
  ) {
    const url = parseHttpUrl(facts.url);
    if (url === null) return;
    const { method, ...rest } = facts;
    const address = `${method} ${url.origin}${url.pathname}`;
    const unknown = {
      finishedAt: null,
      status: null,
      error: null,
      opened: false,
      cached: false,
      bytes: 0,
      stamps: null,
    };
    const request = { id, startedAt: at, address, ...unknown, ...rest };
    this.requests.push(request);
    this.#open.set(id, request);
    if (!facts.isDocument) return;
    this.consoleErrors = 0;
    // A browser may tell of a load before it tells of the request that began it.
    if (this.loads.at(-1)?.loadedAt !== null && this.#loadedAt < at) this.loads.push({ startedAt: at, loadedAt: null });
  }

  note(id: string, facts: Partial<Pick<SeenRequest, 'status' | 'opened' | 'cached' | 'holds' | 'stamps'>>) {
    Object.assign(this.#open.get(id) ?? {}, facts);
  }

  finish(id: string, at: number, facts: Partial<Pick<SeenRequest, 'bytes' | 'error'>> = {}) {
    // A browser that gives up following redirects does so between two requests.
    const last = facts.error === undefined ? undefined : this.requests.filter((each) => each.id === id).at(-1);
    const request = this.#open.get(id) ?? last;
    if (request === undefined) return;
    this.#open.delete(id);
    Object.assign(request, facts, { finishedAt: Math.max(at, request.startedAt) });
    const isReplaced = [...this.#open.values()].some(({ isDocument }) => isDocument);
    const isNone = request.error !== null || request.status === 204 || request.status === 205;
    // No page comes of it, so none will load.
    if (request.isDocument && isNone && !isReplaced) this.loaded(at);
  }

  isNewConnection(id: number): boolean {
    const isNew = id > 0 && !this.#connections.has(id);
    this.#connections.add(id);
    return isNew;
  }

  loaded(at: number) {
    this.#loadedAt = at;
    const load = this.loads.at(-1);
    if (load?.loadedAt === null) load.loadedAt = at;
  }
}
