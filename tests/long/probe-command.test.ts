import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { SequenceDocument } from '../../collector/analysis/probes/sequence-document.ts';
import { LAB_HOST, startLabSite } from '../../collector/lab/servers/lab-site.ts';
import { SCENARIOS } from '../../shared/vocabulary/vocabulary.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { watchLateness } from '../browser/fixture/machine-lateness.ts';
import { startTestCollector } from '../browser/fixture/test-collector.ts';
import { until } from '../browser/fixture/until.ts';
import { run } from '../collector/command.ts';

/** `lastbyte target` as somebody starts it. */
let lab: ReturnType<typeof spawn>;
let folder: string;
let ca: string;
let address: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lastbyte-probe-command-'));
  ca = join(folder, 'target.pem');
  const args = ['dist/lastbyte.mjs', 'target', '--round-trip', '40', '--ca', ca, '--json'];
  lab = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  while (!/\n\}\n$/.test(printed)) printed += (await once(lab.stdout as NodeJS.ReadableStream, 'data'))[0];
  const { host, ports, path: socks } = JSON.parse(printed);
  address = `https://${host}:${ports.tls13}/4k`;
  path = socks;
});

afterAll(async () => {
  const ended = once(lab, 'close');
  lab.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

test.each(ENGINES)('lastbyte probe against lastbyte target: the whole ladder from %s', async (engine) => {
  const args = ['probe', address, '--ca', ca, '--proxy', path, '--n', '6', '--browser', engine];
  const lateness = watchLateness();
  const { code, stdout, stderr } = await run([...args, '--json']);
  expect([code, stderr]).toEqual([0, expect.stringMatching(new RegExp(`^Probing with ${engine};`))]);
  const document: SequenceDocument = JSON.parse(stdout);
  expect(document).toMatchObject({ url: address, browser: engine, stopped: null });
  expect(document.scenarios.map(({ scenario }) => scenario)).toEqual(SCENARIOS);
  for (const { scenario, kept, phases } of document.scenarios) {
    expect(kept, scenario).toBeGreaterThanOrEqual(5);
    expect(phases?.wait?.median, scenario).toBeGreaterThanOrEqual(39);
  }
  const fresh = document.ratios.find(({ scenario }) => scenario === 'https-new');
  // One round trip more than plain HTTP, of the two that this costs.
  expect(fresh?.median?.ms).toBeGreaterThan(30);
  expect(fresh?.median?.ms).toBeLessThan(80 + 2 * lateness.allowance());
  expect(fresh?.medianInterval).toHaveLength(2);
  expect(document.sentence).toMatch(
    /^On this path HTTPS costs .* per request on a reused connection, .* when everything is new\.$/,
  );
});

test('what it sends to a collector is like a scheduled probe’s', async () => {
  const [engine = 'chromium'] = ENGINES;
  const collector = await startTestCollector([{ id: 'erp', name: 'ERP', match: [`https://${LAB_HOST}/*`] }]);
  onTestFinished(() => collector.close());
  const to = ['--collector', collector.origin, '--site', 'Wien', '--target', 'erp'];
  const args = ['probe', address, '--ca', ca, '--proxy', path, '--n', '2', '--browser', engine, ...to];
  const { code, stderr } = await run(args, '', { LASTBYTE_INGEST_KEY: collector.key });
  expect([code, stderr]).toEqual([0, expect.stringMatching(/Sent \d+ requests to /)]);
  const samples = await collector.samples();
  expect(new Set(samples.map(({ source }) => source))).toEqual(new Set(SCENARIOS.map((name) => `probe-${name}`)));
  expect(new Set(samples.map(({ target, origin }) => `${target} ${origin.site} ${origin.browser}`))).toEqual(
    new Set([`erp Wien ${engine}`]),
  );
});

test('for people it prints a table and the sentence', async () => {
  const [engine = 'chromium'] = ENGINES;
  const args = ['probe', address, '--ca', ca, '--proxy', path, '--n', '1', '--browser', engine];
  const { code, stdout } = await run(args);
  expect(code).toBe(0);
  for (const scenario of SCENARIOS) expect(stdout).toMatch(new RegExp(`^${scenario} .* 1 `, 'm'));
  expect(stdout).toMatch(/the cost of HTTPS on this path is unknown/i);
  expect(await readFile(ca, 'utf8')).toMatch(/^-----BEGIN CERTIFICATE-----/);
});

test('where nothing can be kept it fails, and the document still says why', async () => {
  const [engine = 'chromium'] = ENGINES;
  const { code, stdout, stderr } = await run([
    ...['probe', `https://${LAB_HOST}:1/4k`, '--n', '1', '--browser', engine, '--json'],
  ]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/lastbyte: no run could be kept\. The table has the reasons/),
  ]);
  const { scenarios, ratios, sentence }: SequenceDocument = JSON.parse(stdout);
  for (const { kept, method, phases, unavailable } of scenarios) {
    expect([kept, method, phases, unavailable]).toEqual([0, null, null, expect.stringMatching(/^error:/)]);
  }
  expect(ratios.filter(({ reason }) => reason === null)).toEqual([]);
  expect(sentence).toMatch(/is unknown/);
});

test.each(ENGINES)('Ctrl-C amid a ladder ends %s and leaves nothing behind', async (engine) => {
  let asked = 0;
  const site = await startLabSite({ now: Date.now(), roundTripMs: 0, serverDelayMs: 0, seen: () => asked++ });
  onTestFinished(() => site.close());
  const temporary = join(folder, engine);
  await mkdir(temporary);
  const args = ['dist/lastbyte.mjs', 'probe', `http://${LAB_HOST}:${site.ports.tls13}/4k`, '--n', '500'];
  const probe = spawn(process.execPath, [...args, '--browser', engine], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const told = text(probe.stderr);
  const ended = once(probe, 'close');
  await until('the ladder is under way', () => asked > 10);
  probe.kill('SIGINT');
  expect((await ended)[0]).toBe(1);
  expect(await told).toMatch(/lastbyte: stopped before it finished/);
  expect((await readdir(temporary)).filter((name) => name.includes('lastbyte'))).toEqual([]);
});
