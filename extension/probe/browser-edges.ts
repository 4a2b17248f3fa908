import type { RequestOutcome } from '../../shared/probes/prove-request.ts';
import type { TimingEntry } from '../../shared/timing/timing-entry.ts';
import type { BrowserEngine } from '../../shared/vocabulary/vocabulary.ts';
import { CLOCK_STEP_MS } from '../background/entry-intake.ts';
import { TlsWatch } from '../background/tls-watch.ts';
import { networkAccess } from '../network-access.ts';
import { platform } from '../platform.ts';
import { originNow } from '../wall-origin.ts';
import { awaitEntry } from './await-entry.ts';
import { closeOffscreen, loadInFreshDocument } from './offscreen.ts';
import type { ProbeEdges, ProbeRequest } from './probe-edges.ts';
import { addProbeRule, removeProbeRules } from './probe-rules.ts';
import { readBody } from './read-body.ts';
import { type RequestEnd, type RequestWatch, watchRequests } from './request-watch.ts';

/** Chromium stops a worker after half a minute without an extension API call, ms. */
const STAY_AWAKE_MS = 20_000;

/** The real edges of a probe: the background's own fetch, session rules, offscreen documents. */
export function browserEdges(engine: BrowserEngine): ProbeEdges {
  let hosts: readonly string[] = [];
  let probe = '';
  let watch: RequestWatch | null = null;
  let tls: TlsWatch | null = null;

  async function fetchOnce({ url, cookies, timeoutMs, method = 'GET', text }: ProbeRequest): Promise<RequestOutcome> {
    performance.clearResourceTimings();
    const { href } = new URL(url);
    watch?.expect(href);
    // Taken from a warm-up's response, which this delays: full and resumed handshakes can only be told apart in TLS
    // 1.2.
    tls?.see(href);
    const signal = AbortSignal.timeout(timeoutMs);
    const awaited = awaitEntry(url);
    const startedAt = Date.now();
    try {
      const credentials = cookies ? 'include' : 'omit';
      // Redirects are not followed: nothing was agreed with the server they lead to.
      const response = await fetch(url, { method, cache: 'no-store', credentials, signal, redirect: 'manual' });
      const isRedirect = response.type === 'opaqueredirect';
      const textFound = isRedirect ? false : await readBody(response.body, text ?? null);
      const entry = await awaited.afterwards();
      const end = isRedirect ? await watch?.endOf(href) : undefined;
      const { status, finalUrl } = end ?? { status: response.status, finalUrl: response.url };
      const found = text === undefined ? {} : { textFound };
      const facts = { startedAt, status, finalUrl, error: null, ...found };
      return await outcomeOf(entry, originNow(), facts, true);
    } catch {
      // The error only says "failed to fetch"; webRequest has the code.
      const error = signal.aborted ? 'timeout' : ((await watch?.endOf(href))?.error ?? 'other');
      return outcomeOf(null, originNow(), { startedAt, status: null, finalUrl: null, error });
    }
  }

  async function outcomeOf(
    entry: TimingEntry | null,
    timeOrigin: number,
    facts: Omit<RequestOutcome, 'entry' | 'context' | 'endedAt'>,
    alone = false,
  ): Promise<RequestOutcome> {
    const endedAt = Date.now();
    const start = timeOrigin + (entry?.startTime ?? 0);
    const end = timeOrigin + (entry?.responseEnd ?? 0);
    const observed = entry === null ? null : ((await watch?.observed(entry.name, start, end)) ?? null);
    const context = {
      engine,
      timeOrigin,
      clockStepMs: CLOCK_STEP_MS[engine],
      hidden: false,
      restoredFromBackForwardCache: false,
      // A frame's document is a navigation, whose connection the browser may open before its request.
      alone,
      observed: observed && { ...observed, tls: tls?.of(entry?.name ?? '') ?? null },
    };
    return { ...facts, entry, context, endedAt };
  }

  return {
    engine,
    now: () => Date.now(),
    random: () => Math.random(),
    sleep,
    permitted: async (url) =>
      (await networkAccess()) === 'there' &&
      platform.permissions.contains({ origins: [`${new URL(url).protocol}//${new URL(url).hostname}/*`] }),
    async begin(probeHosts, id) {
      if ((await networkAccess()) !== 'there') return; // nothing is permitted then
      hosts = probeHosts;
      probe = id;
      watch = watchRequests(engine, hosts);
      tls = engine === 'firefox' ? new TlsWatch(platform.webRequest) : null;
      await addProbeRule('mark', hosts, probe);
    },
    async end() {
      watch?.stop();
      watch = null;
      await removeProbeRules();
      await closeOffscreen();
    },
    fetch: fetchOnce,
    async fetchAndClose(run) {
      await addProbeRule('close', hosts, probe);
      try {
        return await fetchOnce(run);
      } finally {
        await removeProbeRules('close');
      }
    },
    async loadInFreshFrame({ url, timeoutMs }) {
      const { href } = new URL(url);
      await addProbeRule('frame', hosts, probe);
      watch?.expect(href);
      const startedAt = Date.now();
      try {
        const loaded = await Promise.race([loadInFreshDocument(url, timeoutMs), watch?.spoilt(href)]);
        const entry = loaded?.entry ?? null;
        const late = entry === null && Date.now() - startedAt >= timeoutMs;
        const end = late ? { error: 'timeout' } : await watch?.endOf(href);
        const { status = null, finalUrl = null, error = null }: Partial<RequestEnd> = end ?? {};
        return await outcomeOf(entry, loaded?.timeOrigin ?? 0, { startedAt, status, finalUrl, error });
      } finally {
        await removeProbeRules('frame');
        await closeOffscreen();
      }
    },
  };
}

async function sleep(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= STAY_AWAKE_MS) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(left, STAY_AWAKE_MS)));
    if (left > STAY_AWAKE_MS) await platform.runtime.getPlatformInfo();
  }
}
