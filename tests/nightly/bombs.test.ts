import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { MAX_BODY_BYTES } from '../../shared/vocabulary/wire-limits.ts';
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
  ['bombs', () => gzipSync(Buffer.alloc(8 * MAX_BODY_BYTES, '[')), GZIP],
  // It is inflated to its end.
  ['bodies that just pass for none', () => gzipSync(Buffer.alloc(MAX_BODY_BYTES, '[')), GZIP],
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
