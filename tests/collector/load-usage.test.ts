import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ViewDocument } from '../../collector/analysis/tables/table-document.ts';
import { usersMeanwhile } from '../../collector/cli/users-meanwhile.ts';
import { sendBatches } from '../../collector/lab/send-batches.ts';
import { type LabSite, startLabSite } from '../../collector/lab/servers/lab-site.ts';
import type { Sample } from '../../shared/sample/sample.ts';
import { startTestCollector } from '../browser/fixture/test-collector.ts';
import { makeSample } from '../unit/summary/make-sample.ts';
import { runHere } from './command.ts';
import { freePort } from './free-port.ts';

let site: LabSite;
let url: string;
let ca: string;
let folder: string;
beforeAll(async () => {
  site = await startLabSite({ now: Date.now(), roundTripMs: 0, serverDelayMs: 5 });
  url = `https://target.localhost:${site.ports.tls13}`;
  folder = await mkdtemp(join(tmpdir(), 'lastbyte-test-'));
  ca = join(folder, 'ca.pem');
  await writeFile(ca, site.authority);
});
afterAll(async () => {
  await site.close();
  await rm(folder, { recursive: true });
});

/** A user's own request on a reused connection. */
function pageSample(at: number, waitMs: number): Sample {
  const { origin: _, ...sample } = makeSample({ at, target: 'erp', times: { wait: Math.round(waitMs * 1000) } });
  return sample;
}

const QUICK = ['--users', '2', '--count', '20', '--warmup', '0'];

test('prints what a request takes in each scenario, and writes the same as PDF', async () => {
  const pdf = join(folder, 'load.pdf');
  const other = `http://target.localhost:${site.ports.tls13}/4k`;
  const { code, stdout, stderr } = await runHere(['load', `${url}/4k`, other, '--ca', ca, ...QUICK, '--report', pdf]);
  expect([code, stderr]).toEqual([0, expect.stringContaining(`Wrote ${pdf}.`)]);
  for (const text of [
    'HTTP, reused connection',
    'HTTPS, new, full handshake',
    'Connect ',
    'Waiting',
    'TLSv1.3',
    'served within',
  ]) {
    expect(stdout).toContain(text);
  }
  expect((await readFile(pdf)).subarray(0, 5).toString()).toBe('%PDF-');
});

test('prints every number as JSON', async () => {
  const { code, stdout } = await runHere(['load', `${url}/4k`, '--ca', ca, ...QUICK, '--json']);
  const { scenarios, stopped, plan } = JSON.parse(stdout);
  expect([code, stopped, plan.users]).toEqual([0, null, 2]);
  expect(scenarios.map(({ scenario, usable }: { scenario: string; usable: number }) => [scenario, usable])).toEqual([
    ['https-reused', 18],
    ['https-new-resumed', 18],
    ['https-new-full', 20],
  ]);
  expect(scenarios[2]).toMatchObject({
    tls: expect.stringMatching(/^TLSv1.3, TLS_\w+, \w+, EC P-256|prime256v1$/),
    codes: { 200: 20 },
  });
});

test('says what the server paid, from its own metrics', async () => {
  const metrics = createServer((_, response) =>
    response.end(`process_cpu_seconds_total ${process.cpuUsage().user / 1e6}\n`),
  );
  await new Promise<void>((resolve) => metrics.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void metrics.close());
  const address = `http://127.0.0.1:${(metrics.address() as AddressInfo).port}/metrics`;
  const { code, stdout } = await runHere([
    'load',
    `${url}/4k`,
    '--ca',
    ca,
    ...QUICK,
    '--server-metrics',
    address,
    '--json',
  ]);
  const { scenarios, server } = JSON.parse(stdout);
  expect([code, server.counter, server.failedReadings]).toEqual([0, 'process_cpu_seconds_total', 0]);
  for (const { server: paid } of scenarios) expect(paid.cpuMsPerRequest).toBeGreaterThan(0);
});

test('what is sent to a collector is in no answer but those that ask for it', async () => {
  const collector = await startTestCollector([{ id: 'erp', name: 'ERP', match: [`${url}/*`] }]);
  onTestFinished(() => collector.close());
  process.env.LASTBYTE_INGEST_KEY = collector.key;
  onTestFinished(() => void delete process.env.LASTBYTE_INGEST_KEY);
  const to = ['--collector', collector.origin, '--target', 'erp', '--site', 'Wien'];
  const { code, stderr } = await runHere(['load', `${url}/4k`, '--ca', ca, ...QUICK, ...to]);
  expect([code, stderr]).toEqual([0, expect.stringContaining('Sent 60 requests')]);
  const range = `from=${new Date(Date.now() - 3_600_000).toISOString()}&to=${new Date(Date.now() + 60_000).toISOString()}`;
  const summary = async (filter: string) =>
    (await collector.ask(`/api/v1/summary?by=source,site&${range}${filter}`)) as {
      cells: { source: string; site: string; samples: number }[];
    };
  expect((await summary('')).cells).toEqual([]);
  expect((await summary('&source=load')).cells).toMatchObject([{ source: 'load', site: 'Wien', samples: 60 }]);
  const { view } = (await collector.ask(`/api/v1/report?view=scenarios&source=load&${range}`)) as {
    view: ViewDocument;
  };
  const rows = view.tables[0]?.rows.map(({ scenario, source, n }) => [scenario, source, n]);
  expect(rows).toEqual([
    ['https-reused', 'load', 18],
    ['https-new', 'load', 42],
    ['https-new-resumed', 'load', 18],
    ['https-new-full', 'load', 24],
  ]);
});

test('says what users saw meanwhile, beside the same hours of the day before', async () => {
  const collector = await startTestCollector([{ id: 'erp', name: 'ERP', match: [`${url}/*`] }]);
  onTestFinished(() => collector.close());
  const { origin, adminToken } = collector;
  const now = Date.now();
  const browsers = async (site: string, at: number, waitMs: number) => {
    for (let browser = 0; browser < 8; browser++) {
      const from = { client: `browser-${site}-${browser}`, site, browser: 'chromium' as const };
      const client = { ...from, browserVersion: '150.0', extensionVersion: '0.1.0', clockStep: 100 };
      const samples = Array.from({ length: 12 }, (_, i) => pageSample(at + i, waitMs + i + browser / 4));
      expect(await sendBatches({ collector: origin, key: collector.key }, client, samples)).toBeNull();
    }
  };
  await browsers('Berlin', now - 86_400_000, 100);
  await browsers('Berlin', now, 140);
  await browsers('Wien', now, 50);
  const load = { from: now - 1000, to: now + 1000, text: 'load on erp' };
  const signal = new AbortController().signal;
  const said = await usersMeanwhile({ collector: origin, token: adminToken, target: 'erp', ...load, signal });
  expect(said).toEqual([
    expect.stringMatching(
      /^Meanwhile, browsers in Berlin waited 4\d ms longer than at the same hours of the day before: 14\d ms instead of 10\d ms/,
    ),
    expect.stringMatching(/^Meanwhile, browsers in Wien waited 5\d ms \(median\); there is too little/),
  ]);
  expect(await collector.ask('/api/v1/annotations')).toMatchObject({
    annotations: [{ text: 'load on erp', target: 'erp' }],
  });
  const nobody = await usersMeanwhile({ collector: origin, token: 'wrong', target: 'erp', ...load, signal });
  expect(nobody).toEqual([expect.stringContaining('not noted'), expect.stringContaining('is unknown')]);
});

test('compares what handshakes cost', async () => {
  const { code, stdout } = await runHere(['load', '--matrix', `${url}/1m`, '--ca', ca, '--count', '5']);
  expect(code).toBe(0);
  for (const text of ['Beyond a resumed handshake', 'X25519MLKEM768', 'session id', 'Ratios to the first row']) {
    expect(stdout).toContain(text);
  }
});

describe('nothing is loaded', () => {
  const refused = async (...args: string[]) => {
    const { code, stdout, stderr } = await runHere(['load', ...args]);
    expect(stdout).toBe('');
    return [code, stderr];
  };

  test.each([
    ['that is no address', ['erp'], 'erp is not an address'],
    ['that names a user', ['https://me:secret@target.localhost/'], 'the address names a user'],
    [
      'with as many users as an attack',
      ['http://target.localhost/', '--users', '201'],
      '201 users may bring a server down',
    ],
    ['at the rate of an attack', ['http://target.localhost/', '--rate', '501'], '501 requests a second may bring'],
    [
      'over a scheme without an address',
      ['http://target.localhost/', '--scenario', 'https-reused'],
      'no address for https-reused',
    ],
    ['twice over one scheme', ['http://a.localhost/', 'http://b.localhost/'], 'two addresses have the same scheme'],
    [
      'at a rate by users who think',
      ['http://a.localhost/', '--rate', '5', '--think', '10'],
      '--rate decides when requests begin',
    ],
    ['as a matrix with users', ['https://a.localhost/', '--matrix', '--users', '5'], '--matrix has no --users'],
    ['for a report of no kind', ['http://a.localhost/', '--report', 'load.xyz'], 'not that of a format'],
    [
      'for a report in no folder',
      ['http://a.localhost/', '--report', '/nowhere/load.pdf'],
      'no file that can be written',
    ],
    ['by HTTP/2 without TLS', ['http://a.localhost/', '--http2'], 'over TLS only'],
    ['as a matrix over http', ['http://a.localhost/', '--matrix'], 'http has no handshakes'],
    ['for no app', ['http://a.localhost/', '--collector', 'http://127.0.0.1:1'], 'the key is empty'],
  ])('%s', async (_, args, message) => {
    expect(await refused(...args)).toEqual([2, expect.stringContaining(message)]);
  });

  test('of somebody else, without a word', async () => {
    const [code, stderr] = await refused('http://app.test/');
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/app\.test is not this machine[\s\S]*--yes-i-own app\.test/),
    ]);
  });

  test('that is refused, redirected, or trusted by nobody', async () => {
    expect(await refused(`${url}/4k`)).toEqual([
      1,
      expect.stringMatching(/certificate that is not trusted[\s\S]*--ca/),
    ]);
    expect(await refused(`${url}/status/401/4k`, '--ca', ca)).toEqual([
      1,
      expect.stringMatching(/answers 401[\s\S]*--authorization/),
    ]);
    expect(await refused(`${url}/redirect/4k`, '--ca', ca)).toEqual([
      1,
      expect.stringMatching(/answers 302[\s\S]*not followed/),
    ]);
    expect(await refused(`http://127.0.0.1:${await freePort()}/`)).toEqual([
      1,
      expect.stringMatching(/refuses connections/),
    ]);
  });

  test('with a certificate or a header that is none', async () => {
    const bad = join(folder, 'bad.pem');
    await writeFile(bad, 'a\nb');
    expect(await refused(`${url}/4k`, '--client-certificate', bad)).toEqual([
      1,
      expect.stringContaining('no certificate'),
    ]);
    expect(await refused(`${url}/4k`, '--authorization', bad)).toEqual([1, expect.stringContaining('no header value')]);
  });

  test('whose metrics can’t be read', async () => {
    const [code, stderr] = await refused(
      `${url}/4k`,
      '--ca',
      ca,
      '--server-metrics',
      `http://127.0.0.1:${site.ports.tls13}/4k`,
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining('counter of CPU time')]);
  });
});
