import type { ObservedRequest } from '../../shared/timing/entry-context.ts';

/** Where a request was made: a frame of a tab, and the URL. */
export interface RequestPlace {
  readonly tab: number;
  readonly frame: number;
  readonly url: string;
}

/** For a group found on disk, whose tab is no longer known. */
export interface AnyPlace {
  readonly tab: null;
  readonly url: string;
}

/** Span of the entry to match, epoch milliseconds. */
export interface EntrySpan {
  readonly start: number;
  readonly end: number;
  /** The entry has a status, so a failure can only have come after its headers. Absent counts as true. */
  readonly answered?: boolean;
}

export interface RequestMatch {
  readonly observed: ObservedRequest | null;
  /** The browser's error code of a failed request. */
  readonly error: string | null;
}

interface Challenge {
  readonly place: string;
  readonly at: number;
}

/** What was known about a failed request. */
export interface Failure {
  /** Epoch ms; null if its start was not observed. */
  readonly startedAt: number | null;
  /** Its response had begun: there is a document, or a download instead. */
  readonly answered: boolean;
}

interface Underway {
  readonly startedAt: number;
  readonly answered: boolean;
  /** First and last URL requested; redirects lie between. */
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

/** An entry reaches the background seconds after its request; that of a page frozen meanwhile stays unmatched. */
const KEEP_MS = 60_000;
const MAX_LOGGED = 5_000;
/** webRequest stamps are whole milliseconds of another process's busy main thread: slightly early, or later. */
const EARLY_MS = 10;
const LATE_MS = 50;
/** Firefox ends the entry of an aborted request before the abort, and Chromium reports failures with a delay. */
const FAILURE_LATE_MS = 5_000;

const FRESH = { places: [], redirects: 0, answered: false };
const NOTHING: RequestMatch = { observed: null, error: null };

/** What webRequest just observed, waiting for the page's entry about the same request. In memory only. */
export class RequestLog {
  readonly #underway = new Map<string, Underway>();
  #ended: Ended[] = [];
  #challenges: Challenge[] = [];

  /** Before `sent`, and before there is a connection. */
  started(request: string, at: number): void {
    if (!this.#underway.has(request)) this.#keep(request, { ...FRESH, startedAt: at, sentAt: at });
  }

  sent(request: string, place: RequestPlace, at: number): void {
    const before = this.#underway.get(request) ?? { ...FRESH, startedAt: at };
    const places = [...before.places.slice(0, 1), key(place)];
    this.#keep(request, { ...before, places, sentAt: at, answered: false });
  }

  #keep(request: string, underway: Underway): void {
    this.#underway.set(request, underway);
    if (this.#underway.size > MAX_LOGGED) this.#underway.delete(this.#underway.keys().next().value ?? '');
  }

  answered(request: string, at: number): void {
    const sent = this.#underway.get(request);
    if (!sent) return;
    this.#underway.set(request, { ...sent, answered: true });
    const observed = { sentAt: sent.sentAt, headersReceivedAt: at, tls: null, redirects: sent.redirects };
    const { places, sentAt } = sent;
    this.#end({ places, sentAt, request, endedAt: at, observed, error: null });
  }

  /** The last response was a redirect: the request continues under the same id. */
  redirected(request: string): void {
    const sent = this.#underway.get(request);
    if (sent) this.#underway.set(request, { ...sent, redirects: sent.redirects + 1, answered: false });
    this.#ended = this.#ended.filter((ended) => ended.request !== request);
  }

  /** A server or a proxy asked for credentials, which the browser or its user will provide. */
  challenged(place: RequestPlace, at: number): void {
    const kept = this.#challenges.filter((challenge) => challenge.at >= at - KEEP_MS);
    this.#challenges = [...kept, { place: key(place), at }].slice(-MAX_LOGGED);
  }

  /** Whether a challenge was observed in that tab and frame within that span. */
  wasChallenged(place: RequestPlace | AnyPlace, span: EntrySpan): boolean {
    const isWanted = wanted(place);
    return this.#challenges.some(
      ({ place: known, at }) => at >= span.start - EARLY_MS && at <= span.end + LATE_MS && isWanted(known),
    );
  }

  completed(request: string): void {
    this.#underway.delete(request);
  }

  failed(request: string, place: RequestPlace, at: number, error: string): Failure {
    const sent = this.#underway.get(request);
    this.#underway.delete(request);
    this.#ended = this.#ended.filter((ended) => ended.request !== request);
    const places = sent?.places.length ? sent.places : [key(place)];
    this.#end({ places, request, sentAt: sent?.sentAt ?? at, endedAt: at, observed: null, error });
    return { startedAt: sent?.startedAt ?? null, answered: sent?.answered ?? false };
  }

  /**
   * The one request from that tab and frame within that span; `tab` null matches any. Several candidates are ambiguous,
   * so there is no match, unless all of them failed: they differ at most in their codes, and the first is the
   * likeliest. A match is consumed.
   */
  match(place: RequestPlace | AnyPlace, span: EntrySpan): RequestMatch {
    const fitting = this.#fitting(place, span);
    const [first, ...others] = fitting;
    if (!first || (others.length > 0 && fitting.some(({ error }) => error === null))) return NOTHING;
    this.#ended.splice(this.#ended.indexOf(first), 1);
    return { observed: first.observed, error: first.error };
  }

  /** Whether any observation may belong to this request. Consumes nothing. */
  knows(place: RequestPlace | AnyPlace, span: EntrySpan): boolean {
    return this.#fitting(place, span).length > 0;
  }

  #fitting(place: RequestPlace | AnyPlace, span: EntrySpan): Ended[] {
    const isWanted = wanted(place);
    // Times first: a page may have made thousands of requests, and comparing numbers is faster than comparing URLs.
    return this.#ended.filter(({ places, sentAt, endedAt, error }) => {
      if (sentAt < span.start - EARLY_MS) return false;
      const late = error !== null && span.answered === false ? FAILURE_LATE_MS : LATE_MS;
      return endedAt <= span.end + late && places.some(isWanted);
    });
  }

  #end(ended: Ended): void {
    this.#ended.push(ended);
    const oldest = this.#ended[0]?.endedAt ?? ended.endedAt;
    if (this.#ended.length <= MAX_LOGGED && oldest >= ended.endedAt - 2 * KEEP_MS) return;
    this.#ended = this.#ended.filter(({ endedAt }) => endedAt >= ended.endedAt - KEEP_MS).slice(-MAX_LOGGED);
  }
}

function wanted(place: RequestPlace | AnyPlace): (known: string) => boolean {
  const name = place.tab === null ? ` ${bare(place.url)}` : key(place);
  return (known) => (place.tab === null ? known.endsWith(name) : known === name);
}

function key({ tab, frame, url }: RequestPlace): string {
  return `${tab} ${frame} ${bare(url)}`;
}

function bare(url: string): string {
  return url.split('#', 1)[0] ?? '';
}
