import type { Enrolment } from '../../../extension/background/enrolment.ts';
import type { Environment } from '../../../extension/background/environment.ts';
import type { PageStorage } from '../../../extension/background/pending-groups.ts';
import type { FinalizedBatch, QueueLimits, SampleQueue } from '../../../extension/background/sample-queue.ts';
import type { ClientInfo, Sample } from '../../../shared/sample/sample.ts';

/** A browser's storage over a Map; values are cloned as the browser does. */
export function memoryStorage(
  initial: Record<string, unknown> = {},
): Required<PageStorage> & { all(): Record<string, unknown> } {
  const items = new Map(Object.entries(structuredClone(initial)));
  return {
    all: () => Object.fromEntries(items),
    getKeys: async () => [...items.keys()],
    getBytesInUse: async (key) => key.length + JSON.stringify(items.get(key) ?? '').length,
    async get(keys) {
      if (keys === null) return structuredClone(Object.fromEntries(items));
      return items.has(keys) ? { [keys]: structuredClone(items.get(keys)) } : {};
    },
    async set(added) {
      for (const [key, value] of Object.entries(structuredClone(added))) items.set(key, value);
    },
    async remove(keys) {
      for (const key of [keys].flat()) items.delete(key);
    },
  };
}

/** The queue's contract in memory. */
export class MemoryQueue implements SampleQueue {
  readonly seen = new Set<string>();
  groups: { at: number; samples: readonly Sample[] }[] = [];
  sealed: FinalizedBatch | null = null;

  async add(group: string, samples: readonly Sample[], at: number): Promise<boolean> {
    if (this.seen.has(group)) return false;
    this.seen.add(group);
    this.groups.push({ at, samples });
    return true;
  }

  async finalize(id: string, origin: ClientInfo, maxRows: number): Promise<FinalizedBatch | null> {
    if (this.sealed) return this.sealed;
    const samples: Sample[] = [];
    for (let next = this.groups[0]; next; next = this.groups[0]) {
      if (samples.length > 0 && samples.length + next.samples.length > maxRows) break;
      samples.push(...next.samples);
      this.groups.shift();
    }
    this.sealed = samples.length === 0 ? null : { id, origin, samples };
    return this.sealed;
  }

  async remove(batch: string): Promise<void> {
    if (this.sealed?.id === batch) this.sealed = null;
  }

  async count(): Promise<number> {
    return (this.sealed?.samples.length ?? 0) + (await this.countDroppable());
  }

  async countDroppable(): Promise<number> {
    return this.groups.reduce((sum, { samples }) => sum + samples.length, 0);
  }

  async trim({ maxRows, maxBytes, oldest }: QueueLimits): Promise<number> {
    let dropped = 0;
    for (let next = this.groups[0]; next; next = this.groups[0]) {
      const bytes = this.groups.reduce((sum, { samples }) => sum + JSON.stringify(samples).length, 0);
      if ((await this.countDroppable()) <= maxRows && bytes <= maxBytes && next.at >= oldest) break;
      dropped += next.samples.length;
      this.groups.shift();
    }
    return dropped;
  }
}

export interface FakeEnvironment extends Environment {
  time: number;
  readonly asked: { url: string; init: RequestInit }[];
  /** The network: what the next requests are answered; throws where there is none left. */
  readonly answers: ((body: string) => Response | Promise<Response>)[];
}

export function fakeEnvironment(): FakeEnvironment {
  let ids = 0;
  const fake: FakeEnvironment = {
    time: Date.UTC(2026, 0, 15),
    asked: [],
    answers: [],
    now: () => fake.time,
    random: () => 0.5,
    uuid: () => `00000000-0000-4000-8000-${String(ids++).padStart(12, '0')}`,
    async fetch(url, init) {
      fake.asked.push({ url, init });
      const answer = fake.answers.shift();
      if (!answer) throw new TypeError('network is down');
      return answer(init.body ? await unzip(init.body as ArrayBuffer) : '');
    },
  };
  return fake;
}

async function unzip(body: ArrayBuffer): Promise<string> {
  return new Response(new Blob([body]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
}

export const ENROLMENT: Enrolment = { collector: 'http://collector.test', key: 'k', site: '', source: 'package' };

export const ORIGIN: ClientInfo = {
  client: 'c',
  site: '',
  browser: 'chromium',
  browserVersion: '130',
  extensionVersion: '0.1.0',
  clockStep: 100,
};

export function sample(at: number): Sample {
  return {
    at,
    target: 'app',
    host: 'app.test',
    scheme: 'https',
    template: '/',
    type: 'document',
    protocol: 'h2',
    source: 'page',
    connection: 'reused',
    connectionEvidence: 'connect_took_no_time',
    handshake: 'unknown',
    handshakeEvidence: null,
    excluded: null,
    status: 200,
    error: null,
    times: { blocked: 0, dns: 0, tcp: 0, tls: 0, wait: 5, receive: 1, redirect: 0, ttfb: 5, ttlb: 6 },
    unknown: {},
    transferSize: 1,
    encodedBodySize: 1,
    decodedBodySize: 1,
    idleMs: null,
    serverTime: null,
    metrics: {},
    tls: null,
  };
}

/** What fetch gives for a redirect that it was told not to follow. */
export function redirect(): Response {
  return Object.defineProperties(new Response(null), { type: { value: 'opaqueredirect' }, status: { value: 0 } });
}

/** JSON that goes on for as long as it is read. */
export function endless(): Response {
  const chunk = new TextEncoder().encode(`"${'x'.repeat(65_000)}",`);
  let chunks = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (++chunks > 1000) throw new Error('It was read without a limit.');
      controller.enqueue(chunk);
    },
  });
  return new Response(body);
}
