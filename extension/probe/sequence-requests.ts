import type { RequestOutcome } from '../../shared/probes/prove-request.ts';
import type { SequenceRequest } from '../../shared/probes/sequence-request.ts';
import type { ProbeMethod } from '../../shared/vocabulary/probe-words.ts';
import type { ProbeEdges, ProbeRequest } from './probe-edges.ts';

const SUBDOMAIN_LETTERS = 12;

export interface MadeRequest {
  readonly outcome: RequestOutcome;
  /** The URL requested; with a fresh subdomain it differs from the probe's own. */
  readonly url: string;
}

/** Makes a probe's requests by their methods, and counts them all. */
export class SequenceRequests {
  requests = 0;
  readonly #request: SequenceRequest;
  readonly #edges: ProbeEdges;

  constructor(request: SequenceRequest, edges: ProbeEdges) {
    this.#request = request;
    this.#edges = edges;
  }

  plain(url: string): Promise<RequestOutcome> {
    this.requests++;
    return this.#edges.fetch(this.#run(url));
  }

  async make(url: string, method: ProbeMethod): Promise<MadeRequest> {
    switch (method) {
      case 'keep_alive':
        return { outcome: await this.plain(url), url };
      case 'close_header':
        this.requests++;
        await this.#edges.fetchAndClose(this.#run(url));
        await this.pause();
        return { outcome: await this.plain(url), url };
      case 'credentialless_frame':
        this.requests++;
        return { outcome: await this.#edges.loadInFreshFrame(this.#run(url)), url };
      case 'fresh_subdomain': {
        const fresh = this.#freshSubdomain(url);
        return { outcome: await this.plain(fresh), url: fresh };
      }
      case 'idle_wait':
        await this.#edges.sleep(this.#request.idleWaitMs ?? 0);
        return { outcome: await this.plain(url), url };
    }
  }

  pause(): Promise<void> {
    return this.#edges.sleep(this.#request.pauseMs * (0.5 + this.#edges.random()));
  }

  #run(url: string): ProbeRequest {
    const { cookies, timeoutMs } = this.#request;
    return { url, cookies, timeoutMs };
  }

  #freshSubdomain(url: string): string {
    let label = 'lb';
    while (label.length < SUBDOMAIN_LETTERS) label += Math.floor(this.#edges.random() * 36).toString(36);
    return url.replace('://', `://${label}.`);
  }
}
