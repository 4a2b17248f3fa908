import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Bench } from './bench-result.ts';
import { browse, type HonestBatch } from './honest-browsers.ts';
import type { AttackOrder, AttackReport } from './hostile-attacker.ts';
import { ATTACKS, attackedTargets, type Findings, PLANTED } from './hostile-attacks.ts';
import { fillFleet, fillSamples } from './hostile-fill.ts';
import { folderBytes, type MeasuredServer, serveMeasured } from './hostile-server.ts';
import { verifyKept } from './hostile-verify.ts';

/** What has to hold beside every attack. */
const MAX_HONEST_P99_MS = 500;
const MAX_LOOP_P99_MS = 50;
const MAX_RSS_MIB = 1024;
const MAX_DISK_RATIO = 3;

const SECONDS = 20;
/** Honest load alone before each attack, ms: what it finds is a collector at work. */
const WARM_UP_MS = 3_000;
/** Honest batches that waited for the attack to end have this long to arrive, ms. */
const SETTLE_MS = 30_000;
/** Rollups of what came last are made by then, ms. */
const ROLL_UP_MS = 12_000;
/** For a question once the attack is over, ms. */
const QUESTION_MS = 10_000;
const CLOCK_JUMP_MS = 400 * 86_400_000;
/** What the server has to say of it, and says when it is over. */
const EXPECTED_NOTICES = /the clock (?:says .+ was expected|is trusted again)/;
/** The same load without an attack: what the others are compared with. */
const NO_ATTACK = 'none';

/** Data that are there before the server starts. */
const FILLS: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  fleet: fillFleet,
  longQuestions: fillSamples,
};
/** Whose harm would show only in a rollup. */
const ROLLED_UP: readonly string[] = ['surrogate', 'inventedNames', 'cells', 'clockJump'];
/** The attacker was there before anybody else. */
const ATTACKER_FIRST: readonly string[] = ['inventedNames'];

interface AttackFigures {
  /** Of the batches that fell due during the attack: from then until they were stored, every ordered wait included. */
  readonly honestP50Ms: number;
  readonly honestP99Ms: number;
  /** Of those stored at the first attempt, the attempt alone. */
  readonly firstAttemptP99Ms: number;
  readonly honestBatches: number;
  /** Of them, how many were refused or unanswered at least once. */
  readonly retried: number;
  /** Of all honest batches: never acknowledged within the bench's time, or acknowledged and not there, or in part. */
  readonly lost: number;
  /** How late the event loop was at 99 of 100 moments, and at worst. */
  readonly loopDelayP99Ms: number;
  readonly loopDelayMaxMs: number;
  readonly rssMiB: number;
  /**
   * What the data folder grew by until the server had ended, to what it grew by without an attack. Where data were there
   * before, it may shrink: days that are over are packed meanwhile.
   */
  readonly diskRatio: number;
  readonly diskMiB: number;
  /** At its largest, the log of the database included. */
  readonly peakDiskMiB: number;
  readonly serverCpuSeconds: number;
  readonly attackerCpuSeconds: number;
  /** What the attacker was answered, by status; 0 where no answer came. */
  readonly answers: Readonly<Record<number, number>>;
  readonly findings: Findings;
  readonly faults: readonly string[];
}

/**
 * Two hundred honest browsers beside one attack after the other, each with a server and a data folder of its own.
 * ATTACK=name in the environment runs that one alone.
 */
export const hostileBench: Bench = {
  name: 'hostile',
  async run(progress, { seconds = SECONDS } = {}) {
    const only = process.env.ATTACK;
    const names = Object.keys(ATTACKS).filter((name) => only === undefined || only === '' || name === only);
    if (names.length === 0) throw new Error(`There is no attack ${only}: ${Object.keys(ATTACKS).join(', ')}`);
    const attacks: Record<string, AttackFigures> = {};
    let honestDisk = Number.NaN;
    for (const name of [NO_ATTACK, ...names]) {
      const played = await play(name, seconds);
      if (name === NO_ATTACK) honestDisk = played.diskMiB;
      const figures = { ...played, diskRatio: round(played.diskMiB / honestDisk) };
      attacks[name] = figures;
      const { honestP99Ms, lost, loopDelayP99Ms, rssMiB, diskRatio } = figures;
      progress(
        `${name}: honest p99 ${honestP99Ms} ms, ${lost} lost, loop p99 ${loopDelayP99Ms} ms, ${rssMiB} MiB, disk × ${diskRatio}`,
      );
      for (const fault of figures.faults) progress(`  ${fault}`);
    }
    const worst = (read: (figures: AttackFigures) => number) => Math.max(...Object.values(attacks).map(read));
    const figures = {
      worstHonestP99Ms: worst(({ honestP99Ms }) => honestP99Ms),
      lost: Object.values(attacks).reduce((sum, { lost }) => sum + lost, 0),
      worstLoopDelayP99Ms: worst(({ loopDelayP99Ms }) => loopDelayP99Ms),
      worstRssMiB: worst(({ rssMiB }) => rssMiB),
      worstDiskRatio: worst(({ diskRatio }) => diskRatio),
      attacks,
    };
    return { figures, misses: Object.entries(attacks).flatMap(([name, one]) => missesOf(name, one)) };
  },
};

/** One server, its honest browsers and one attack on it, from an empty folder to the last look at what is stored. */
async function play(name: string, seconds: number): Promise<Omit<AttackFigures, 'diskRatio'>> {
  const folder = await mkdtemp(join(tmpdir(), 'lastbyte-bench-'));
  const [data, own] = [join(folder, 'data'), join(folder, 'own')];
  try {
    await mkdir(own);
    await FILLS[name]?.(data);
    const server = await serveMeasured(data, { [PLANTED.variable]: PLANTED.value });
    const keys = await setUp(server);
    const diskBefore = await folderBytes(data);
    const order: AttackOrder = { url: server.url, keys, folder: own, seconds };
    const early = ATTACKER_FIRST.includes(name) ? attackFrom(name, order, server) : null;
    if (early !== null) await after(WARM_UP_MS);
    const honest = browse(server.url, keys.ingest);
    if (early === null) await after(WARM_UP_MS);
    await server.loopDelays();
    const from = performance.now();
    const report = await (early ?? attackFrom(name, order, server));
    const until = performance.now();
    honest.stopIssuing();
    const delays = await server.loopDelays();
    if (name === 'clockJump' && server.ended() === null) server.moveClock(-CLOCK_JUMP_MS);
    await honest.settle(server.ended() === null ? SETTLE_MS : 0);
    const waits = waitsOf(honest.batches, from, until);
    if (ROLLED_UP.includes(name)) await after(ROLL_UP_MS);
    const silence = await questionAfter(server.url, keys.otherRead);
    const complaints = server.complaints().filter((line) => name !== 'clockJump' || !EXPECTED_NOTICES.test(line));
    const serverCpuSeconds = await server.cpuSeconds();
    await server.stop();
    const diskMiB = mib((await folderBytes(data)) - diskBefore);
    const kept = await verifyKept(data, honest.batches);
    const delaysInMs = delays ?? [until - from];
    const ended = server.ended();
    return {
      ...waits,
      lost: honest.batches.filter(isIncomplete).length + kept.missing,
      loopDelayP99Ms: round(quantile(delaysInMs, 0.99)),
      loopDelayMaxMs: round(quantile(delaysInMs, 1)),
      rssMiB: mib(server.peakRss()),
      diskMiB,
      peakDiskMiB: mib(server.peakDisk() - diskBefore),
      serverCpuSeconds: round(serverCpuSeconds),
      attackerCpuSeconds: round(report.cpuSeconds),
      answers: report.answers,
      findings: { ...report.findings, foldedHosts: kept.foldedHosts, foldedTargets: kept.foldedTargets },
      faults: [
        ...(ended === null ? [] : [`the server ${ended}`]),
        ...(delays === null ? ['the event loop answered nothing for seconds after the attack'] : []),
        ...(silence === null ? [] : [`a question after the attack ${silence}`]),
        ...(complaints.length === 0
          ? []
          : [`${complaints.length} complaints of the server, first: ${complaints[0]?.slice(0, 200)}`]),
        ...kept.faults,
      ],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function setUp({ url, adminToken }: MeasuredServer): Promise<AttackOrder['keys']> {
  const ask = async (method: string, path: string, body: object) => {
    const response = await fetch(`${url}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`The collector refused ${path}: ${await response.text()}`);
    return (await response.json()) as { token: string };
  };
  const key = async (role: string, label: string) => (await ask('POST', 'tokens', { role, label })).token;
  await ask('PUT', 'settings', { version: 1, targets: attackedTargets() });
  return {
    ingest: await key('ingest', 'browsers'),
    read: await key('read', 'attacker'),
    otherRead: await key('read', 'somebody else'),
    admin: adminToken,
  };
}

/** Resolves when the attack is over, or has been for a while without its process noticing. */
async function attackFrom(name: string, order: AttackOrder, server: MeasuredServer): Promise<AttackReport> {
  const nothing: AttackReport = { answers: {}, findings: {}, cpuSeconds: 0 };
  if (name === NO_ATTACK) return after(order.seconds * 1000, nothing);
  const child = fork(fileURLToPath(new URL('./hostile-attacker.ts', import.meta.url)), [name]);
  const gone = once(child, 'exit');
  const reported = once(child, 'message').then(([report]) => report as AttackReport);
  reported.catch(() => {}); // without a report it is over too
  child.send(order);
  if (name === 'clockJump') server.moveClock(CLOCK_JUMP_MS);
  const report = await Promise.race([reported, gone.then(() => nothing), after(order.seconds * 1000 + 5_000, nothing)]);
  child.kill('SIGKILL');
  await gone;
  return report;
}

/** Why the summary of the last day is not to be had; null where it is. */
async function questionAfter(url: string, key: string): Promise<string | null> {
  const headers = { authorization: `Bearer ${key}` };
  const asked = fetch(`${url}/api/v1/summary`, { headers, signal: AbortSignal.timeout(QUESTION_MS) });
  return asked.then(
    async (answer) => (answer.ok ? null : `was answered ${answer.status}: ${(await answer.text()).slice(0, 200)}`),
    (error: unknown) => `had no answer: ${String(error)}`,
  );
}

function waitsOf(batches: readonly HonestBatch[], from: number, until: number) {
  const during = batches.filter(({ dueAt }) => dueAt >= from && dueAt < until);
  const given = performance.now();
  // One that never arrived waited for as long as was looked, at the least.
  const waits = during.map(({ dueAt, storedAt }) => (storedAt ?? given) - dueAt);
  const first = during.flatMap(({ attempts, attemptMs }) => (attempts === 1 && attemptMs !== null ? [attemptMs] : []));
  return {
    honestP50Ms: round(quantile(waits, 0.5)),
    honestP99Ms: round(quantile(waits, 0.99)),
    firstAttemptP99Ms: round(quantile(first, 0.99)),
    honestBatches: during.length,
    retried: during.filter(({ attempts }) => attempts > 1).length,
  };
}

function isIncomplete({ storedAt, rejectedRows }: HonestBatch): boolean {
  return storedAt === null || rejectedRows > 0;
}

function missesOf(name: string, figures: AttackFigures): string[] {
  const { honestP99Ms, lost, loopDelayP99Ms, rssMiB, diskRatio, findings, faults } = figures;
  const misses: string[] = [...faults];
  if (!(honestP99Ms <= MAX_HONEST_P99_MS)) misses.push(`honest p99 of ${honestP99Ms} ms, not ${MAX_HONEST_P99_MS}`);
  if (lost > 0) misses.push(`${lost} honest batches lost`);
  if (!(loopDelayP99Ms <= MAX_LOOP_P99_MS))
    misses.push(`loop delay p99 of ${loopDelayP99Ms} ms, not ${MAX_LOOP_P99_MS}`);
  if (rssMiB > MAX_RSS_MIB) misses.push(`${rssMiB} MiB resident, not ${MAX_RSS_MIB}`);
  if (!(diskRatio <= MAX_DISK_RATIO)) misses.push(`disk × ${diskRatio}, not ${MAX_DISK_RATIO}`);
  const { leaks = 0, otherUnanswered = 0, foldedTargets = 0 } = findings;
  if (leaks > 0) misses.push(`${leaks} secrets left the machine`);
  if (otherUnanswered > 0) misses.push(`${otherUnanswered} short questions of another token without an answer in time`);
  if (foldedTargets > 0) misses.push(`${foldedTargets} samples of configured targets folded`);
  return misses.map((miss) => `${name}: ${miss}`);
}

/** Nearest rank; not a number where there is none. */
function quantile(values: readonly number[], q: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function mib(bytes: number): number {
  return round(bytes / 2 ** 20);
}
