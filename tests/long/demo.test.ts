import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoTarget, SummaryCell, SummaryDocument } from '../../collector/analysis/summary/summary-document.ts';
import { createDemoFolder, startLastbyte } from '../browser/demo-process.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { watchLateness } from '../browser/fixture/machine-lateness.ts';

/** Smallest step of each browser's timer, ms. */
const CLOCK_STEP_MS = { chromium: 0.1, firefox: 1 };
/** What the browser and Node's timers may add to the known delays on a quiet machine, ms. */
const MAX_ADDED_MS = 15;
const MIN_SAMPLES = 15;

interface DemoDocument {
  readonly ok: boolean;
  readonly data: string;
  readonly dashboard: string;
  readonly summary: SummaryDocument;
}

interface DemoRun {
  readonly folder: Awaited<ReturnType<typeof createDemoFolder>>;
  readonly document: DemoDocument;
  readonly byHost: SummaryDocument;
  /** Most that a busy machine may have added to a known delay, ms. */
  readonly mayAddMs: number;
}

async function demo(engine: (typeof ENGINES)[number]): Promise<DemoRun> {
  const folder = await createDemoFolder();
  const lateness = watchLateness();
  const run = await startLastbyte(['demo', '--once', '--json', '--browser', engine, '--data', folder.data], {
    TMPDIR: folder.temporary,
  }).ended;
  const mayAddMs = MAX_ADDED_MS + lateness.allowance();
  expect(run.code, run.stderr).toBe(0);
  const ofHosts = ['--view', 'summary', '--format', 'json', '--by', 'host'];
  const report = await startLastbyte(['report', ...ofHosts, '--data', folder.data]).ended;
  expect(report.code, report.stderr).toBe(0);
  return { folder, document: JSON.parse(run.stdout), byHost: JSON.parse(report.stdout), mayAddMs };
}

describe.each(ENGINES)('lastbyte demo --once --json in %s', (engine) => {
  let { folder, document, byHost, mayAddMs } = {} as DemoRun;
  beforeAll(async () => {
    ({ folder, document, byHost, mayAddMs } = await demo(engine));
  });
  afterAll(() => folder?.remove());

  function cellsOf(host: string): SummaryCell[] {
    const cells = document.summary.cells.filter((cell) => cell.host === host);
    expect(cells.length).toBeGreaterThan(0);
    return cells;
  }

  function targets(): readonly DemoTarget[] {
    return document.summary.method.demo?.targets ?? [];
  }

  it('prints the document, names its folder, and leaves nothing else behind', async () => {
    expect(Object.keys(document)).toEqual(['ok', 'data', 'dashboard', 'summary']);
    expect(document.ok).toBe(true);
    expect(document.data).toBe(folder.data);
    expect(document.dashboard).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=lb_/);
    expect(await folder.leftovers()).toEqual([]);
  });

  it('names its five targets with what is known of them', () => {
    expect(targets().map(({ host }) => host)).toEqual([
      'http.demo.test',
      'keepalive.demo.test',
      'close.demo.test',
      'h2.demo.test',
      'third.demo.test',
    ]);
  });

  it('measures the known delays of every target', () => {
    for (const { host, serverDelayMs, roundTripMs } of targets()) {
      const wait = byHost.cells.find((cell) => cell.host === host)?.phases.wait;
      const known = serverDelayMs + roundTripMs;
      expect(wait?.n, host).toBeGreaterThanOrEqual(MIN_SAMPLES);
      expect(wait?.median, host).toBeGreaterThanOrEqual(known - CLOCK_STEP_MS[engine]);
      expect(wait?.median, host).toBeLessThanOrEqual(known + mayAddMs);
    }
  });

  it('has no TLS phase on plain HTTP', () => {
    for (const cell of cellsOf('http.demo.test')) expect(cell.phases.tls).toBeNull();
  });

  it('shows on close.demo.test what each new connection costs', () => {
    const close = targets().find(({ host }) => host === 'close.demo.test');
    for (const type of ['document', 'image', 'fetch']) {
      const cell = cellsOf('close.demo.test').find((each) => each.type === type);
      const setup = cell?.setup.perConnection;
      expect(setup?.median, type).toBeGreaterThanOrEqual((close?.roundTripMs ?? Number.NaN) - CLOCK_STEP_MS[engine]);
      expect(cell?.connections.new, type).toBeGreaterThanOrEqual(MIN_SAMPLES);
    }
  });

  it('tells per request from per connection on keepalive.demo.test', () => {
    const cell = byHost.cells.find(({ host }) => host === 'keepalive.demo.test');
    const { perConnection, perRequest } = cell?.setup ?? {};
    expect(perConnection?.mean).toBeGreaterThanOrEqual(39);
    expect(perRequest?.mean).toBeGreaterThan(0);
    expect(perRequest?.mean).toBeLessThan((perConnection?.mean ?? 0) / 2);
    expect(perRequest?.n).toBeGreaterThan(perConnection?.n ?? Number.NaN);
  });

  it('accounts for every sample', () => {
    for (const { samples, evidence, connections, host, type } of document.summary.cells) {
      const { usable, opaque, cache, excluded } = evidence;
      expect(usable + opaque + cache + sum(excluded), `${host} ${type}`).toBe(samples);
      expect(sum(connections), `${host} ${type}`).toBe(samples);
    }
  });

  it('shows errors, caching and hidden timings for what they are', () => {
    const fetches = cellsOf('http.demo.test').find(({ type }) => type === 'fetch');
    expect(fetches?.status['401']).toBeGreaterThan(0);
    expect(fetches?.status['404']).toBeGreaterThan(0);
    expect(fetches?.evidence.excluded.status).toBe((fetches?.status['401'] ?? 0) + (fetches?.status['404'] ?? 0));
    expect(cellsOf('http.demo.test').find(({ type }) => type === 'script')?.evidence.cache).toBeGreaterThan(0);
    const types = ['document', 'script', 'style', 'image', 'font', 'fetch'];
    expect(
      cellsOf('keepalive.demo.test')
        .map(({ type }) => type)
        .sort(),
    ).toEqual(types.sort());
    const images = cellsOf('third.demo.test').find(({ type }) => type === 'image');
    expect(images?.evidence.opaque).toBeGreaterThan(0);
    expect(images?.evidence.usable).toBeGreaterThan(0);
  });

  it('fails no request that was answered', () => {
    for (const { host, type, evidence } of document.summary.cells) {
      expect(evidence.excluded.failed ?? 0, `${host} ${type}`).toBe(0);
      expect(evidence.excluded.invalid ?? 0, `${host} ${type}`).toBe(0);
    }
  });
});

function sum(counts: Readonly<Record<string, number | undefined>>): number {
  return Object.values(counts).reduce<number>((total, count) => total + (count ?? 0), 0);
}
