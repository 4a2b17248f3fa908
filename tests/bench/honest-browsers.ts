import { setMaxListeners } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { backOff, retryAfter } from '../../extension/background/delivery.ts';
import { seededRandom } from '../../shared/statistics/seeded-random.ts';
import { batchId } from '../../shared/wire/encode-batch.ts';
import type { WireBatch } from '../../shared/wire/wire-batch.ts';
import { BATCH_ROWS, generateBatches, SEED } from './generate-samples.ts';

export const BROWSERS = 200;
/** Each browser has a batch this often, ms: 50 batches a second from all of them. */
const EVERY_MS = 4_000;
/** As the extension waits for one answer, ms. */
const TIMEOUT_MS = 20_000;
/** What marks their samples among those of an attacker. */
export const HONEST_SITE = 'honest';

export interface HonestBatch {
  readonly id: string;
  readonly client: string;
  /** When it was due, by `performance.now()`: what it waits behind an earlier one of its browser counts too. */
  readonly dueAt: number;
  /** When it was acknowledged; null where it never was. */
  storedAt: number | null;
  attempts: number;
  /** Of the attempt that was acknowledged, ms. */
  attemptMs: number | null;
  rejectedRows: number;
}

export interface HonestLoad {
  readonly batches: readonly HonestBatch[];
  /** No further batch becomes due. */
  stopIssuing(): void;
  /** Resolves once every batch is stored, or after `giveUpMs`: what waits then is lost as far as the bench can see. */
  settle(giveUpMs: number): Promise<void>;
}

const pack = promisify(gzip);

/**
 * Browsers as the extension is one: gzip, one batch at a time, Retry-After or its own back-off after a refusal, the same id
 * until it is stored. Each has an address of its own, so that a collector can tell them from whoever attacks it.
 */
export function browse(url: string, token: string): HonestLoad {
  const given = new AbortController();
  // One for each request under way.
  setMaxListeners(0, given.signal);
  const batches: HonestBatch[] = [];
  const random = seededRandom(SEED);
  let issuing = true;
  const templates = [...generateBatches(BROWSERS * BATCH_ROWS, SEED, Date.now() - 60_000, 60_000)];

  async function live(number: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const localAddress = `127.0.${1 + Math.floor(number / 100)}.${1 + (number % 100)}`;
    const client = `honest-${String(number).padStart(8, '0')}`;
    const first = performance.now() + random() * EVERY_MS;
    try {
      for (let turn = 0; ; turn++) {
        const dueAt = first + turn * EVERY_MS;
        await waitUntil(dueAt, () => issuing && !given.signal.aborted);
        if (!issuing || given.signal.aborted) return;
        const at = Date.now();
        const uuid = `${'00000000'}-0000-4000-8000-${String(number * 1000 + turn).padStart(12, '0')}`;
        const batch: HonestBatch = {
          id: batchId(at, uuid),
          client,
          dueAt,
          storedAt: null,
          attempts: 0,
          attemptMs: null,
          rejectedRows: 0,
        };
        batches.push(batch);
        const template = templates[(number + 7 * turn) % templates.length] as WireBatch;
        await deliver(batch, { ...template, batch: batch.id, client, site: HONEST_SITE, columns: since(template, at) });
      }
    } finally {
      agent.destroy();
    }

    async function deliver(batch: HonestBatch, wire: WireBatch): Promise<void> {
      while (!given.signal.aborted) {
        const body = await pack(JSON.stringify({ ...wire, sentAt: Date.now() }));
        const startedAt = performance.now();
        batch.attempts++;
        const answer = await post(url, token, body, { agent, localAddress, signal: given.signal });
        if (answer.status === 200) {
          batch.storedAt = performance.now();
          batch.attemptMs = batch.storedAt - startedAt;
          batch.rejectedRows = (JSON.parse(answer.text) as { rejected: unknown[] }).rejected.length;
          return;
        }
        const wait = retryAfter(answer.retryAfter, Date.now()) ?? backOff(batch.attempts, random());
        await after(wait, undefined, { signal: given.signal }).catch(() => {}); // the bench gave up, as the loop sees
      }
    }
  }

  const lives = Promise.all(Array.from({ length: BROWSERS }, (_, number) => live(number)));
  return {
    batches,
    stopIssuing() {
      issuing = false;
    },
    async settle(giveUpMs) {
      issuing = false;
      const timer = setTimeout(() => given.abort(), giveUpMs);
      await lives;
      clearTimeout(timer);
    },
  };
}

/** The page load of a template, as if it had begun four seconds before `at`. */
function since({ columns }: WireBatch, at: number): WireBatch['columns'] {
  return { ...columns, at: [at - 4_000, ...columns.at.slice(1).map((gap) => Math.min(gap ?? 0, 50))] };
}

async function waitUntil(moment: number, goOn: () => boolean): Promise<void> {
  while (goOn() && performance.now() < moment) await after(Math.min(100, Math.max(1, moment - performance.now())));
}

interface Posting {
  readonly agent: Agent;
  readonly localAddress: string;
  readonly signal: AbortSignal;
}

/** Status 0 where no answer came. */
function post(
  url: string,
  token: string,
  body: Buffer,
  { agent, localAddress, signal }: Posting,
): Promise<{ status: number; retryAfter: string | null; text: string }> {
  return new Promise((resolve) => {
    const none = () => resolve({ status: 0, retryAfter: null, text: '' });
    const sending = request(`${url}/api/v1/batches`, {
      method: 'POST',
      agent,
      localAddress,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'content-length': body.length,
      },
    });
    sending.on('error', none);
    sending.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece) => {
        text += piece;
      });
      response.on('error', none);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] ?? null, text }),
      );
    });
    sending.end(body);
  });
}
