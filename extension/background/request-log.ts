import type { ObservedRequest } from '../../shared/timing/entry-context.ts';

/** Where a request was made: one tab's frame asking for one URL. */
export interface RequestPlace {
  readonly tab: number;
  readonly frame: number;
  readonly url: string;
}

/** Span of the entry to be matched, epoch milliseconds. */
export interface EntrySpan {
  readonly start: number;
  readonly end: number;
}

export interface RequestMatch {
  readonly observed: ObservedRequest | null;
  /** The browser's error code of a failed request. */
  readonly error: string | null;
}

interface Underway {
  /** The URL that was asked for and the one asked at last; redirects lie between. */
  readonly places: readonly string[];
  readonly sentAt: number;
  readonly redirects: number;
}

interface Ended extends RequestMatch {
  readonly request: string;
  readonly places: readonly string[];
  readonly sentAt: number;
  readonly endedAt: number;
}

/** An entry reaches the background seconds after its request; that of a page frozen meanwhile goes without a match. */
const KEEP_MS = 60_000;
const MAX_LOGGED = 5_000;
/** webRequest stamps are whole milliseconds of another process' busy main thread: some ms before, more of them after. */
const EARLY_MS = 10;
const LATE_MS = 50;

const NOTHING: RequestMatch = { observed: null, error: null };

/** What webRequest saw a moment ago, waiting for the page's entry about the same request. Memory only. */
export class RequestLog {
  readonly #underway = new Map<string, Underway>();
  #ended: Ended[] = [];

  sent(request: string, place: RequestPlace, at: number): void {
    const before = this.#underway.get(request);
    const places = [...(before?.places.slice(0, 1) ?? []), key(place)];
    this.#underway.set(request, { places, sentAt: at, redirects: before?.redirects ?? 0 });
    if (this.#underway.size > MAX_LOGGED) this.#underway.delete(this.#underway.keys().next().value ?? '');
  }

  answered(request: string, at: number): void {
    const sent = this.#underway.get(request);
    if (!sent) return;
    const observed = { sentAt: sent.sentAt, headersReceivedAt: at, tls: null, redirects: sent.redirects };
    this.#end({ ...sent, request, endedAt: at, observed, error: null });
  }

  /** The answer that was just told of was a redirect: the request goes on under the same id. */
  redirected(request: string): void {
    const sent = this.#underway.get(request);
    if (sent) this.#underway.set(request, { ...sent, redirects: sent.redirects + 1 });
    this.#ended = this.#ended.filter((ended) => ended.request !== request);
  }

  completed(request: string): void {
    this.#underway.delete(request);
  }

  failed(request: string, place: RequestPlace, at: number, error: string): void {
    const sent = this.#underway.get(request);
    this.#underway.delete(request);
    this.#ended = this.#ended.filter((ended) => ended.request !== request);
    const places = sent?.places ?? [key(place)];
    this.#end({ places, request, sentAt: sent?.sentAt ?? at, endedAt: at, observed: null, error });
  }

  /**
   * The one request from that place within that span. With several a wrong one might be taken, so then there is none.
   * What was matched is not matched again.
   */
  match(place: RequestPlace, span: EntrySpan): RequestMatch {
    const wanted = key(place);
    const fitting = this.#ended.filter(
      (ended) =>
        ended.places.includes(wanted) && ended.sentAt >= span.start - EARLY_MS && ended.endedAt <= span.end + LATE_MS,
    );
    const [only] = fitting;
    if (!only || fitting.length > 1) return NOTHING;
    this.#ended.splice(this.#ended.indexOf(only), 1);
    return { observed: only.observed, error: only.error };
  }

  #end(ended: Ended): void {
    this.#ended.push(ended);
    const oldest = this.#ended[0]?.endedAt ?? ended.endedAt;
    if (this.#ended.length <= MAX_LOGGED && oldest >= ended.endedAt - 2 * KEEP_MS) return;
    this.#ended = this.#ended.filter(({ endedAt }) => endedAt >= ended.endedAt - KEEP_MS).slice(-MAX_LOGGED);
  }
}

function key({ tab, frame, url }: RequestPlace): string {
  return `${tab} ${frame} ${url.split('#', 1)[0]}`;
}
