import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { seededRandom } from '../../shared/statistics/seeded-random.ts';
import { MAX_DECOMPRESSED_BYTES } from '../../shared/vocabulary/wire-limits.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { makeKey, type Served, serve } from '../collector/command.ts';
import { temporaryFolder } from '../collector/temporary-folder.ts';
import { ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';

const ATTACKS = 600;
const HONEST = 100;
const MAX_RSS_KIB = 2 ** 20;
const PATIENT = { timeout: 240_000 };

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
}

/** Loopback has a whole network of addresses to send from. */
function sender({ url }: Served, token: string) {
  const agent = new Agent({ maxSockets: 2000 });
  onTestFinished(() => agent.destroy());
  return (from: string, body: Buffer, headers: Record<string, string>) =>
    new Promise<Answer>((resolve) => {
      const all = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers };
      const sending = request(`${url}/api/v1/batches`, { agent, method: 'POST', localAddress: from, headers: all });
      sending.on('response', async (answer) => {
        resolve({ status: answer.statusCode, body: Buffer.concat(await answer.toArray()).toString() });
      });
      // Cut in the middle of a body that is refused.
      sending.on('error', () => resolve({ status: undefined, body: '' }));
      sending.end(body);
    });
}

const honest = () => {
  const now = Date.now();
  const rows = Array.from({ length: 50 }, (_, i) => ({ ...PLAIN_SAMPLE, at: now - 1000 - i }));
  return gzipSync(JSON.stringify(encodeBatch(ORIGIN, randomUUID(), now, rows)));
};

/** Kilobytes at most since its start: proc_pid_status(5). */
async function peakRss({ child }: Served): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]);
}

const GZIP = { 'content-encoding': 'gzip' };

test.runIf(process.platform === 'linux').each([
  ['bombs', () => gzipSync(Buffer.alloc(MAX_DECOMPRESSED_BYTES, '[')), GZIP],
  // Not worth a hundred times its bytes, so it is inflated to its end: noise beside nothing.
  ['bodies that just pass for none', () => nearlyBomb(), GZIP],
  ['large plain bodies', () => Buffer.alloc(2 ** 20, '['), {}],
] as const)(
  'beside 600 %s at once every honest batch is stored, and memory stays below 1 GiB',
  PATIENT,
  async (_what, attack, headers) => {
    const folder = await temporaryFolder();
    const server = await serve(folder);
    const { token } = await makeKey(folder, 'ingest');
    const send = sender(server, token);
    const body = attack();
    const attacks = Array.from({ length: ATTACKS }, () => send('127.0.0.9', body, headers));
    const answers = await Promise.all(Array.from({ length: HONEST }, () => send('127.0.0.1', honest(), GZIP)));
    const statuses = new Set((await Promise.all(attacks)).map(({ status }) => status));
    expect(answers.map(({ status, body: said }) => status ?? said)).toEqual(Array(HONEST).fill(200));
    expect(statuses).not.toContain(200);
    expect(await peakRss(server)).toBeLessThan(MAX_RSS_KIB);
  },
);

function nearlyBomb(): Buffer {
  const random = seededRandom(18);
  const noise = Buffer.from(Array.from({ length: 90_000 }, () => Math.floor(random() * 256)));
  return gzipSync(Buffer.concat([Buffer.alloc(MAX_DECOMPRESSED_BYTES - noise.length, '['), noise]));
}
