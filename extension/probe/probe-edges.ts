import type { RequestOutcome } from '../../shared/probes/prove-request.ts';
import type { BrowserEngine } from '../../shared/vocabulary/vocabulary.ts';

export interface ProbeRequest {
  readonly url: string;
  readonly cookies: boolean;
  readonly timeoutMs: number;
  readonly method?: 'GET' | 'HEAD';
  /** Text to look for in the body. */
  readonly text?: string;
}

/** What a probe does to the browser. `browser-edges.ts` is the real one; unit tests use their own. */
export interface ProbeEdges {
  readonly engine: BrowserEngine;
  /** Epoch ms. */
  now(): number;
  /** 0 ≤ x < 1. */
  random(): number;
  sleep(ms: number): Promise<void>;
  permitted(url: string): Promise<boolean>;
  /** Marks the probe's requests and unlocks the timings of their responses, until `end`. */
  begin(hosts: readonly string[], probe: string): Promise<void>;
  /** Removes all rules and documents of the probe. May be called twice. */
  end(): Promise<void>;
  fetch(run: ProbeRequest): Promise<RequestOutcome>;
  /** The same request with `Connection: close`. */
  fetchAndClose(run: ProbeRequest): Promise<RequestOutcome>;
  /** Loads it in a frame with its own network partition, in a fresh document. Chromium only. */
  loadInFreshFrame(run: ProbeRequest): Promise<RequestOutcome>;
}
