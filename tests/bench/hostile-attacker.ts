/**
 * One attack in a process of its own, so that its processor time is not the server's: `hostile-attacker NAME`, the rest by
 * message. It runs at the lowest priority: on two cores the attack would otherwise slow down the server by taking its
 * cores, which no collector can do anything about.
 */
import { setMaxListeners } from 'node:events';
import { Agent, request } from 'node:http';
import { constants, setPriority } from 'node:os';
import { setTimeout as after } from 'node:timers/promises';
import { ATTACKS, type AttackRequest, type AttackTools, type Findings } from './hostile-attacks.ts';

export interface AttackOrder extends Pick<AttackTools, 'url' | 'keys' | 'folder'> {
  readonly seconds: number;
}

export interface AttackReport {
  /** How often it was answered, by status; 0 where no answer came. */
  readonly answers: Readonly<Record<number, number>>;
  readonly findings: Findings;
  readonly cpuSeconds: number;
}

const ADDRESS = '127.0.66.6';

process.once('message', (order: AttackOrder) => {
  void attack(process.argv[2] ?? '', order).then((report) => {
    process.send?.(report, () => process.exit());
  });
});
process.on('disconnect', () => process.exit());

async function attack(name: string, { seconds, ...order }: AttackOrder): Promise<AttackReport> {
  setPriority(constants.priority.PRIORITY_LOW);
  const answers: Record<number, number> = {};
  const ended = AbortSignal.timeout(seconds * 1000);
  // One for each request under way.
  setMaxListeners(0, ended);
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

  function ask(asked: AttackRequest): Promise<number> {
    return send(order.url, asked, agent, ended).then((status) => {
      if (!ended.aborted) answers[status] = (answers[status] ?? 0) + 1;
      return status;
    });
  }

  async function repeat(concurrency: number, work: (number: number) => Promise<unknown>, pauseMs = 0): Promise<void> {
    let next = 0;
    const over = new Promise<void>((resolve) => ended.addEventListener('abort', () => resolve(), { once: true }));
    const one = async () => {
      while (!ended.aborted) {
        await work(next++);
        // A turn of the loop at the least: what is refused at once must not keep the end from coming.
        await after(pauseMs);
      }
    };
    await Promise.race([Promise.all(Array.from({ length: concurrency }, one)), over]);
  }

  const run = ATTACKS[name];
  if (run === undefined) throw new Error(`There is no attack ${name}.`);
  const findings = (await run({ ...order, ended, ask, repeat })) ?? {};
  const { user, system } = process.cpuUsage();
  return { answers, findings, cpuSeconds: (user + system) / 1e6 };
}

function send(url: string, { method = 'GET', path, key, body }: AttackRequest, agent: Agent, signal: AbortSignal) {
  return new Promise<number>((resolve) => {
    const bytes =
      body === undefined ? null : typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const packed = Buffer.isBuffer(body) ? { 'content-encoding': 'gzip' } : {};
    const sending = request(`${url}${path}`, {
      method,
      agent,
      localAddress: ADDRESS,
      signal,
      headers: {
        authorization: `Bearer ${key}`,
        ...(bytes === null
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes), ...packed }),
      },
    });
    sending.on('error', () => resolve(0));
    sending.on('response', (response) => {
      response.on('error', () => resolve(0));
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.resume();
    });
    sending.end(bytes ?? undefined);
  });
}
