import type { ProbeEdges, ProbeRequest } from '../../../extension/probe/probe-edges.ts';
import type { RequestOutcome } from '../../../shared/probes/prove-request.ts';
import type { SequenceRequest } from '../../../shared/probes/sequence-request.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';
import type { TimingEntry } from '../../../shared/timing/timing-entry.ts';
import type { BrowserEngine } from '../../../shared/vocabulary/vocabulary.ts';

export const REQUEST: SequenceRequest = {
  id: 'p',
  target: 'app',
  url: 'https://app.test/4k',
  otherUrl: 'http://app.test/4k',
  repetitions: 5,
  warmups: 2,
  wildcard: false,
  idleWaitMs: null,
  cookies: false,
  pauseMs: 50,
  timeoutMs: 10_000,
  maxRequests: 1_000,
  serverTimingMetrics: [],
};

/** An entry as browsers write it, over a new connection or a reused one. */
export function probeEntry(url: string, connection: 'new' | 'reused', protocol = 'http/1.1'): TimingEntry {
  const secure = url.startsWith('https:');
  const isNew = connection === 'new';
  const connectEnd = isNew ? (secure ? 190 : 150) : 101;
  return {
    entryType: 'resource',
    name: url,
    initiatorType: 'fetch',
    startTime: 101,
    redirectStart: 0,
    redirectEnd: 0,
    workerStart: 0,
    fetchStart: 101,
    domainLookupStart: isNew ? 110 : 101,
    domainLookupEnd: isNew ? 110 : 101,
    connectStart: isNew ? 110 : 101,
    secureConnectionStart: secure ? (isNew ? 150 : 101) : 0,
    connectEnd,
    requestStart: connectEnd + 1,
    responseStart: connectEnd + 42,
    finalResponseHeadersStart: connectEnd + 42,
    responseEnd: connectEnd + 43,
    nextHopProtocol: protocol,
    transferSize: 4396,
    encodedBodySize: 4096,
    decodedBodySize: 4096,
    responseStatus: 200,
    contentType: 'text/plain',
    deliveryType: '',
    serverTiming: [],
    navigationType: null,
    activationStart: null,
    redirectCount: null,
  };
}

export function outcome(entry: TimingEntry | null, changed: Partial<RequestOutcome> = {}): RequestOutcome {
  const context = {
    engine: 'chromium',
    timeOrigin: 1_795_000_000_000,
    clockStepMs: 0.1,
    hidden: false,
    restoredFromBackForwardCache: false,
    observed: null,
  } as const;
  const facts = { status: entry && 200, finalUrl: entry?.name ?? null, error: null };
  return { entry, context, ...facts, startedAt: 1_795_000_000_101, endedAt: 1_795_000_000_300, ...changed };
}

export interface FakeBrowser extends ProbeEdges {
  /** What was done, in order. */
  readonly log: string[];
}

/**
 * A browser with one idle connection a scheme at most, the way real ones keep them. `answer` changes what a request
 * comes to.
 */
export function fakeBrowser(
  engine: BrowserEngine,
  protocol = 'http/1.1',
  answer: (made: RequestOutcome, run: ProbeRequest) => RequestOutcome = (made) => made,
): FakeBrowser {
  const idle = new Set<string>();
  const log: string[] = [];
  let time = 1_795_000_000_000;

  function ask(run: ProbeRequest, closes: boolean): RequestOutcome {
    const origin = new URL(run.url).origin;
    const secure = run.url.startsWith('https:');
    const entry = probeEntry(run.url, idle.has(origin) ? 'reused' : 'new', secure ? protocol : 'http/1.1');
    // HTTP/2 takes no notice of `Connection`.
    if (closes && entry.nextHopProtocol !== 'h2') idle.delete(origin);
    else idle.add(origin);
    log.push(`${closes ? 'close' : 'fetch'} ${run.url}`);
    return answer(outcome(entry), run);
  }

  return {
    log,
    engine,
    now: () => time++,
    random: seededRandom(1),
    sleep: async (ms) => {
      time += ms;
      if (ms > 1000) idle.clear();
    },
    permitted: async () => true,
    begin: async (hosts) => void log.push(`begin ${hosts.join()}`),
    end: async () => void log.push('end'),
    fetch: async (run) => ask(run, false),
    fetchAndClose: async (run) => ask(run, true),
    async loadInFreshFrame(run) {
      log.push(`frame ${run.url}`);
      return answer(outcome(probeEntry(run.url, 'new', protocol)), run);
    },
  };
}
