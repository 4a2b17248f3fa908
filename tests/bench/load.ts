import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ScenarioLoad } from '../../collector/analysis/load/load-document.ts';
import type { MatrixRow } from '../../collector/analysis/load/matrix-tables.ts';
import { makeToken } from '../../collector/http/auth/token-text.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { Bench } from './bench-result.ts';
import { browse } from './honest-browsers.ts';
import { serveFolder } from './serve-folder.ts';

const COMMAND = 'dist/lastbyte.mjs';
const USERS = 50;
const ROUNDS = 3;
const SECONDS = 5;
/** Users' batches beside a load at this rate, for so long. */
const BESIDE = { rate: 200, seconds: 60 };
const run = promisify(execFile);

interface Target {
  readonly host: string;
  readonly ports: Readonly<Record<string, number>>;
  stop(): void;
}

/** `lastbyte target` as users start it. */
async function startTarget(ca: string, ...args: readonly string[]): Promise<Target> {
  const child = spawn(process.execPath, [COMMAND, 'target', '--ca', ca, '--json', ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let printed = '';
  child.stdout.on('data', (data) => {
    printed += data;
  });
  while (!/\n}\s*$/.test(printed)) await after(50);
  return { ...JSON.parse(printed), stop: () => child.kill('SIGTERM') };
}

/** `lastbyte load`, with its figures and its largest resident size. */
async function load(args: readonly string[], nice = 0) {
  const child = spawn('nice', ['-n', String(nice), process.execPath, COMMAND, 'load', ...args, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let peakMiB = 0;
  const looking = setInterval(() => {
    try {
      const [, kb = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
      peakMiB = Math.max(peakMiB, Number(kb) / 1024);
    } catch {
      // It has ended.
    }
  }, 200);
  const printed = await text(child.stdout).finally(() => clearInterval(looking));
  const { scenarios = [], rows = [] } = JSON.parse(printed) as { scenarios?: ScenarioLoad[]; rows?: MatrixRow[] };
  return { scenarios, rows, peakMiB };
}

async function ab(args: readonly string[]) {
  const { stdout } = await run('ab', ['-q', '-t', String(SECONDS), '-n', '10000000', ...args]);
  return {
    perSecond: Number(/Requests per second:\s+([\d.]+)/.exec(stdout)?.[1]),
    median: Number(/\n\s+50%\s+(\d+)/.exec(stdout)?.[1]),
  };
}

async function wrk(url: string): Promise<number> {
  const { stdout } = await run('wrk', ['-t', '1', '-c', String(USERS), '-d', `${SECONDS}s`, url]);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
}

/** A server that answers nobody for the first `stallMs` of every second: what users wait for it is known. */
async function startStalling(stallMs: number) {
  const server = createServer((_, response) => {
    const into = performance.now() % 1000;
    if (into >= stallMs) response.end('x');
    else setTimeout(() => response.end('x'), stallMs - into);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, stop: () => server.close() };
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** `lastbyte load` beside ab and wrk on the same servers, at rates and stalls that are known, and beside a collector. */
export const loadBench: Bench = {
  name: 'load',
  async run(progress) {
    const folder = await mkdtemp(join(tmpdir(), 'lastbyte-bench-'));
    const ca = join(folder, 'ca.pem');
    try {
      const saturated = await besideOthers(ca, progress);
      const delayed = await delayedBy50(ca, progress);
      const stalled = await withStalls(progress);
      const crypto = await besideOpenssl(ca, progress);
      const beside = await besideCollector(folder, ca, progress);
      const figures = { ...saturated, ...delayed, ...stalled, ...crypto, ...beside };
      const misses = [
        figures.ratioToAbReused < 0.5 && `${figures.ratioToAbReused} of ab's requests, less than half`,
        figures.ratioToAbNew < 0.5 && `${figures.ratioToAbNew} of ab's handshakes, less than half`,
        Math.abs(figures.medianToAb - 1) > 0.05 && `a median of ${figures.medianToAb} of ab's, beyond 5 %`,
        Math.abs(figures.rateReached - 1) > 0.01 && `a rate of ${figures.rateReached} of what was asked, beyond 1 %`,
        Math.abs(figures.correctedP99ToTruth - 1) > 0.05 &&
          `a corrected p99 of ${figures.correctedP99ToTruth} of the truth`,
        figures.peakMiB > 300 && `${figures.peakMiB} MiB, more than 300`,
        figures.honestP99Ms > 200 && `users' batches took ${figures.honestP99Ms} ms at p99, more than 200`,
      ];
      return { figures, misses: misses.filter((miss) => miss !== false) };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function besideOthers(ca: string, progress: (line: string) => void) {
  const target = await startTarget(ca);
  const port = target.ports.tls13 as number;
  const plain = `http://127.0.0.1:${port}/4k`;
  const secure = `https://${target.host}:${port}/4k`;
  const seen = {
    ab: [] as number[],
    wrk: [] as number[],
    load: [] as number[],
    abNew: [] as number[],
    loadNew: [] as number[],
  };
  let peakMiB = 0;
  try {
    for (let round = 0; round < ROUNDS; round++) {
      seen.ab.push((await ab(['-k', '-c', String(USERS), plain])).perSecond);
      seen.wrk.push(await wrk(plain));
      const asked = ['--users', String(USERS), '--duration', String(SECONDS), '--ca', ca];
      const reused = await load([plain, ...asked]);
      seen.load.push(reused.scenarios[0]?.perSecond ?? Number.NaN);
      seen.abNew.push((await ab(['-c', String(USERS), secure.replace(target.host, '127.0.0.1')])).perSecond);
      const fresh = await load([secure, ...asked, '--scenario', 'https-new-full']);
      seen.loadNew.push(fresh.scenarios[0]?.perSecond ?? Number.NaN);
      peakMiB = Math.max(peakMiB, reused.peakMiB, fresh.peakMiB);
      progress(`round ${round + 1}: ${JSON.stringify(seen)}, ${peakMiB.toFixed(0)} MiB`);
    }
  } finally {
    target.stop();
  }
  const median = Object.fromEntries(Object.entries(seen).map(([name, of]) => [name, medianOf(of)])) as Record<
    keyof typeof seen,
    number
  >;
  return {
    abPerSecond: median.ab,
    wrkPerSecond: median.wrk,
    loadPerSecond: median.load,
    ratioToAbReused: round(median.load / median.ab),
    abHandshakesPerSecond: median.abNew,
    loadHandshakesPerSecond: median.loadNew,
    ratioToAbNew: round(median.loadNew / median.abNew),
    peakMiB: round(peakMiB),
  };
}

async function delayedBy50(ca: string, progress: (line: string) => void) {
  const target = await startTarget(ca, '--server-delay', '50');
  const plain = `http://127.0.0.1:${target.ports.tls13}/4k`;
  try {
    const { median } = await ab(['-k', '-c', '10', plain]);
    const { scenarios } = await load([plain, '--users', '10', '--duration', String(SECONDS)]);
    const own = scenarios[0]?.times.total?.median ?? Number.NaN;
    progress(`50 ms: ab ${median} ms, load ${own} ms`);
    const { scenarios: paced } = await load([plain, '--rate', '200', '--users', '50', '--duration', '10']);
    return {
      abMedianMs: median,
      loadMedianMs: own,
      medianToAb: round(own / median),
      rateReached: round((paced[0]?.perSecond ?? 0) / 200),
    };
  } finally {
    target.stop();
  }
}

const STALL_MS = 400;

async function withStalls(progress: (line: string) => void) {
  const server = await startStalling(STALL_MS);
  try {
    const { scenarios } = await load([
      `http://127.0.0.1:${server.port}/`,
      '--rate',
      '200',
      '--users',
      '5',
      '--duration',
      '10',
      '--warmup',
      '0',
    ]);
    const { corrected, total } = scenarios[0]?.times ?? {};
    // Of every second's 200 requests, 80 wait for the end of its stall: evenly up to 400 ms, so a hundredth of all waits for more than 390.
    const truth = STALL_MS - 10;
    progress(`stalls: raw p99 ${total?.p99} ms, corrected ${corrected?.p99} ms, truth ${truth} ms`);
    return {
      stallP99Ms: truth,
      rawP99Ms: total?.p99 ?? null,
      correctedP99ToTruth: round((corrected?.p99 ?? Number.NaN) / truth),
    };
  } finally {
    server.stop();
  }
}

/** What a full handshake costs the client beyond a resumed one, beside `openssl s_time` on the same server: TLS 1.2, X25519. */
async function besideOpenssl(ca: string, progress: (line: string) => void) {
  const target = await startTarget(ca, '--matrix');
  const opensslPrice: Record<string, number> = {};
  const loadPrice: Record<string, number> = {};
  try {
    const urls = Object.values(target.ports).map((port) => `https://${target.host}:${port}/1k`);
    const { rows } = await load(['--matrix', ...urls, '--ca', ca, '--count', '500']);
    for (const [key, named] of [
      ['rsa-2048', 'RSA 2048'],
      ['rsa-3072', 'RSA 3072'],
      ['rsa-4096', 'RSA 4096'],
      ['p-256', 'EC prime256v1'],
      ['p-384', 'EC secp384r1'],
    ] as const) {
      const cpu = async (kind: '-new' | '-reuse') => {
        const { stdout } = await run('openssl', [
          's_time',
          '-connect',
          `127.0.0.1:${target.ports[key]}`,
          '-tls1_2',
          kind,
          '-time',
          '3',
          '-CAfile',
          ca,
          '-verify',
          '5',
        ]);
        return 1000 / Number(/([\d.]+) connections\/user sec/.exec(stdout)?.[1]);
      };
      const own = (kind: MatrixRow['kind']) =>
        rows.find((row) => row.name === `${named}, TLS 1.2` && row.kind === kind)?.clientCpuMs ?? Number.NaN;
      opensslPrice[key] = round((await cpu('-new')) - (await cpu('-reuse')));
      loadPrice[key] = round(own('full') - own('session id'));
      progress(`${key}: openssl ${opensslPrice[key]} ms, load ${loadPrice[key]} ms`);
    }
  } finally {
    target.stop();
  }
  return { opensslPriceMs: opensslPrice, loadPriceMs: loadPrice };
}

async function besideCollector(folder: string, ca: string, progress: (line: string) => void) {
  const data = join(folder, 'data');
  const store = await openStore({ folder: data, as: 'server' });
  const { stored, token } = makeToken('ingest', 'bench', Date.now());
  await store.tokens.create(stored);
  await store.close();
  const server = await serveFolder(data);
  const target = await startTarget(ca);
  try {
    const honest = browse(server.url, token);
    const from = performance.now();
    const { scenarios, peakMiB } = await load(
      [
        `https://${target.host}:${target.ports.tls13}/4k`,
        '--ca',
        ca,
        '--scenario',
        'https-reused',
        '--rate',
        String(BESIDE.rate),
        '--users',
        String(USERS),
        '--duration',
        String(BESIDE.seconds),
      ],
      19,
    );
    honest.stopIssuing();
    await honest.settle(30_000);
    const waits = honest.batches
      .filter(({ dueAt }) => dueAt > from + 5_000)
      .map(({ dueAt, storedAt }) => (storedAt ?? Number.POSITIVE_INFINITY) - dueAt)
      .sort((a, b) => a - b);
    const honestP99Ms = round(waits[Math.floor(0.99 * waits.length)] ?? Number.NaN);
    progress(
      `beside the collector: ${waits.length} batches, p99 ${honestP99Ms} ms, ${scenarios[0]?.perSecond} requests/s, ${peakMiB.toFixed(0)} MiB`,
    );
    return { honestP99Ms, honestBatches: waits.length, besideMiB: round(peakMiB) };
  } finally {
    target.stop();
    await server.stop();
  }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
