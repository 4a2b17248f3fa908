import type { RequestOutcome } from '../../shared/probes/prove-request.ts';
import type { BrowserEngine } from '../../shared/vocabulary/vocabulary.ts';

export interface ProbeRequest {
  readonly url: string;
  readonly cookies: boolean;
  readonly timeoutMs: number;
  readonly method?: 'GET' | 'HEAD';
  /** To be looked for in the body. */
  readonly text?: string;
}

/** What a ladder does to the browser; `browser-edges.ts` is the real one, unit tests bring their own. */
export interface ProbeEdges {
  readonly engine: BrowserEngine;
  /** Epoch ms. */
  now(): number;
  /** 0 ≤ x < 1. */
  random(): number;
  sleep(ms: number): Promise<void>;
  permitted(url: string): Promise<boolean>;
  /** Marks the probe's requests and lets it see the answers' times, until `end`. */
  begin(hosts: readonly string[], probe: string): Promise<void>;
  /** Removes every rule and document of the probe. Calling it twice is harmless. */
  end(): Promise<void>;
  fetch(run: ProbeRequest): Promise<RequestOutcome>;
  /** The same request with `Connection: close`. */
  fetchAndClose(run: ProbeRequest): Promise<RequestOutcome>;
  /** Loads it in a frame with a network partition of its own, in a fresh document. Chromium only. */
  loadInFreshFrame(run: ProbeRequest): Promise<RequestOutcome>;
}
