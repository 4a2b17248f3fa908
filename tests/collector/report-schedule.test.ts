import { EventEmitter, once } from 'node:events';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { createOutgoing, type Outgoing } from '../../collector/outgoing/outgoing.ts';
import { createReportRenderer } from '../../collector/reports/report-renderer.ts';
import {
  createReportSchedule,
  type ReportSchedule,
  type ScheduleDeps,
} from '../../collector/reports/schedule/report-schedule.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { KeyValueState, Store } from '../../collector/storage/store.ts';
import type { ReportSettings, ScheduledReport } from '../../shared/settings/report-settings.ts';
import { validateSettings } from '../../shared/settings/validate-settings.ts';
import { readPdf } from '../unit/report/pdf-text.ts';
import { browserId, fill } from './fill-store.ts';
import { loopbackAllowed } from './loopback-allowed.ts';
import { fillTwoMonths, request } from './report-samples.ts';
import { smtpServer } from './smtp-server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { testApp } from './test-app.ts';

const DUE = Date.UTC(2026, 2, 1, 6);
const MONTHLY: ScheduledReport = { id: 'management', cron: '0 6 1 * *', formats: ['text'] };

interface Office {
  readonly store: Store;
  readonly folder: string;
  /** Of secrets. */
  readonly secrets: string;
  readonly clock: { now: number };
  readonly schedule: ReportSchedule;
  /** The same after a restart. */
  again(changes?: Partial<ScheduleDeps>): ReportSchedule;
}

async function office(settings: ReportSettings, outgoing?: Outgoing): Promise<Office> {
  const store = await openStore({ folder: await temporaryFolder(), as: 'command' });
  onTestFinished(() => store.close());
  const verdict = validateSettings({ version: 1, targets: [], reports: settings });
  if (!verdict.ok) throw new Error(JSON.stringify(verdict.problems));
  await store.settings.write(verdict.settings, null, 0);
  const folder = await temporaryFolder();
  const secrets = await temporaryFolder();
  const clock = { now: DUE - 3_600_000 };
  const again = (changes: Partial<ScheduleDeps> = {}) => {
    const made = createReportSchedule({
      store,
      clock: () => clock.now,
      version: '9.9.9',
      renderer: createReportRenderer(null),
      outgoing: outgoing ?? loopbackAllowed(secrets),
      folder,
      failed: (error) => {
        throw error;
      },
      ...changes,
    });
    onTestFinished(() => made.stop());
    return made;
  };
  const schedule = again();
  // Sees the report for the first time.
  await schedule.tick();
  return { store, folder, secrets, clock, schedule, again };
}

test('a report is written when it is due, once, and not half', async () => {
  const { store, folder, clock, schedule } = await office({
    schedule: [{ ...MONTHLY, formats: ['pdf', 'text', 'csv'], lang: 'de', folder: 'leitung/monat' }],
  });
  await fillTwoMonths(store);
  await schedule.tick();
  expect(await readdir(folder)).toEqual([]);
  clock.now = DUE + 1000;
  await schedule.tick();
  await schedule.tick();
  const files = (await readdir(join(folder, 'leitung/monat'))).sort();
  expect(files).toEqual([
    'management-monthly-2026-02-28.csv',
    'management-monthly-2026-02-28.pdf',
    'management-monthly-2026-02-28.txt',
  ]);
  const pdf = readPdf(await readFile(join(folder, 'leitung/monat', files[1] ?? '')));
  expect(pdf.pages.flat()).toContain('Februar 2026');
  expect((await schedule.status()).runs).toMatchObject([
    { report: 'management', state: 'done', attempts: 1, done: ['folder'], errors: {}, due: DUE },
  ]);
});

test('what goes out is for people who may not see single browsers', async () => {
  const { store, folder, clock, schedule } = await office({
    schedule: [{ ...MONTHLY, formats: ['csv'], folder: 'out' }],
  });
  await fillTwoMonths(store, 20);
  const rare = { host: 'rare.example.com', template: '/rare' };
  await fill(store, [request(Date.UTC(2026, 1, 10), { wait: 77_000 }, rare)], { client: browserId(1) });
  clock.now = DUE;
  await schedule.tick();
  const csv = await readFile(join(folder, 'out/management-monthly-2026-02-28.csv'), 'utf8');
  expect(csv).toContain('erp.example.com');
  expect(csv).not.toContain('rare.example.com');
});

test('a webhook that is down is tried again, also after a restart; the folder is written meanwhile and only once', async () => {
  const taken: { headers: Record<string, unknown>; body: string }[] = [];
  let status = 503;
  const hook = createServer(async (message, answer) => {
    const body = (await buffer(message)).toString('utf8');
    if (status === 200) taken.push({ headers: message.headers, body });
    answer.writeHead(status).end();
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => hook.close(() => resolve())));
  const address = hook.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { folder, secrets, clock, schedule, again } = await office({
    schedule: [
      { ...MONTHLY, folder: 'out', webhook: { url: `http://127.0.0.1:${port}/x`, bearerFrom: { file: 'hook' } } },
    ],
  });
  await writeFile(join(secrets, 'hook'), 'hush\n');
  clock.now = DUE;
  await schedule.tick();
  const [waiting] = (await schedule.status()).runs;
  expect(waiting).toMatchObject({
    state: 'waiting',
    attempts: 1,
    done: ['folder'],
    errors: { webhook: 'answered 503: not accepted' },
    nextAt: DUE + 60_000,
  });
  await writeFile(join(folder, 'out', waiting?.files[0] ?? ''), 'read by somebody');
  status = 200;
  await schedule.tick();
  expect(taken).toEqual([]);
  clock.now = DUE + 60_000;
  const restarted = again();
  await restarted.tick();
  expect(taken).toHaveLength(1);
  expect(taken[0]?.headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    authorization: 'Bearer hush',
    'x-lastbyte-report': 'management',
  });
  expect(taken[0]?.body).toContain('End-user experience report');
  expect(await readFile(join(folder, 'out', waiting?.files[0] ?? ''), 'utf8')).toBe('read by somebody');
  expect((await restarted.status()).runs).toMatchObject([{ state: 'done', attempts: 2, errors: {} }]);
});

test.each(['another one has sent it', 'its connection is lost'])(
  'a leader that was succeeded while it made a report does not send it: %s',
  async (cause) => {
    let requests = 0;
    const hook = createServer((_, answer) => {
      requests++;
      answer.end();
    });
    await once(hook.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void hook.close());
    const { port } = hook.address() as { port: number };
    const { store, clock, again } = await office({
      schedule: [{ ...MONTHLY, webhook: { url: `http://127.0.0.1:${port}/` } }],
    });
    const renderer = createReportRenderer(null);
    const events = new EventEmitter();
    const [making, released] = [once(events, 'making'), once(events, 'release')];
    let isLost = false;
    const state: KeyValueState = {
      ...store.keyValues,
      async read(name) {
        if (isLost) throw new Error('the connection is lost');
        return store.keyValues.read(name);
      },
    };
    const first = again({
      store: { ...store, leadership: { lead: (work) => work(state) } },
      renderer: {
        ...renderer,
        async render(...how) {
          events.emit('making');
          await released;
          return renderer.render(...how);
        },
      },
    });
    clock.now = DUE;
    const outcome = first.tick().then(() => null, String);
    await making;
    if (cause === 'its connection is lost') isLost = true;
    else await again().tick();
    const before = requests;
    events.emit('release');
    expect(await outcome).toBe(isLost ? 'Error: the connection is lost' : null);
    expect(requests).toBe(before);
    const [run] = (await again().status()).runs;
    expect(run).toMatchObject(isLost ? { state: 'waiting', attempts: 0 } : { state: 'done', attempts: 1 });
  },
);

test('mail goes with its files over SMTP, signed in; a server that says no is tried again and its words are not repeated', async () => {
  const server = await smtpServer();
  server.mode = 'refuse';
  const { store, secrets, clock, schedule } = await office({
    mail: {
      host: '127.0.0.1',
      port: server.port,
      tls: 'none',
      from: 'lastbyte@example.com',
      user: 'lastbyte',
      passwordFrom: { file: 'smtp' },
    },
    schedule: [{ ...MONTHLY, formats: ['html'], mailTo: ['a@example.com', 'b@example.com'] }],
  });
  await writeFile(join(secrets, 'smtp'), 'hunter2\n');
  await fillTwoMonths(store);
  clock.now = DUE;
  await schedule.tick();
  const [refused] = (await schedule.status()).runs;
  expect(refused).toMatchObject({ state: 'waiting', done: [], errors: { mail: expect.stringContaining('451') } });
  expect(JSON.stringify(refused)).not.toContain('hunter2');
  server.mode = 'take';
  clock.now = refused?.nextAt ?? 0;
  await schedule.tick();
  expect(server.messages).toHaveLength(1);
  const [message = ''] = server.messages;
  expect(message).toMatch(/^Subject: February 2026, End-user experience report, 2026-02-01 to/m);
  // The first page is the text; the file is attached in base64.
  expect(message).toMatch(/^What to decide\r?$[\s\S]*^Where users wait\r?$/m);
  expect(message).not.toContain('For engineers');
  expect(message).toMatch(/^To: a@example\.com, b@example\.com/m);
  expect(message).toMatch(/filename=management-monthly-2026-02-28\.html/);
  expect(server.signedIn.at(-1)).toBe('\0lastbyte\0hunter2');
  expect((await schedule.status()).runs).toMatchObject([{ state: 'done', attempts: 2, done: ['mail'] }]);
});

test('nothing that is missing or in the way ends the schedule: it is said, and tried again', async () => {
  const { folder, clock, schedule } = await office({
    mail: { host: '127.0.0.1', port: 1, from: 'lastbyte@example.com' },
    schedule: [
      { ...MONTHLY, id: 'no-secret', webhook: { urlFrom: { env: 'LASTBYTE_SECRET_NO_SUCH_VARIABLE' } } },
      { ...MONTHLY, id: 'metadata', webhook: { url: 'http://169.254.169.254/latest' } },
      { ...MONTHLY, id: 'no-server', mailTo: ['a@example.com'] },
      { ...MONTHLY, id: 'in-the-way', folder: 'file' },
      { ...MONTHLY, id: 'fine', folder: 'out' },
    ],
  });
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o700);
  await writeFile(join(folder, 'file'), 'no folder');
  clock.now = DUE;
  await schedule.tick();
  const { runs, reports } = await schedule.status();
  const of = (id: string) => runs.find(({ report }) => report === id);
  expect(of('no-secret')?.errors).toEqual({
    webhook: expect.stringMatching(
      /^secret_missing: the environment variable LASTBYTE_SECRET_NO_SUCH_VARIABLE is not set/,
    ),
  });
  expect(of('metadata')?.errors.webhook).toMatch(/^address_refused: sending to 169\.254\.169\.254 is/);
  expect(of('no-server')?.errors.mail).toMatch(/the mail server could not be used/);
  expect(of('in-the-way')?.errors.folder).toMatch(/\S/);
  expect(of('fine')).toMatchObject({ state: 'done' });
  expect(reports.map(({ next }) => next)).toEqual(reports.map(() => Date.UTC(2026, 3, 1, 6)));
});

test.each(['127.0.0.1', 'localhost', '169.254.169.254', '2852039166', '::ffff:169.254.169.254'])(
  'a mail server at %s is not connected to, and the run says so',
  async (host) => {
    const server = await smtpServer();
    const mail = { host, port: server.port, tls: 'none', from: 'lastbyte@example.com' } as const;
    const { clock, schedule } = await office(
      { mail, schedule: [{ ...MONTHLY, mailTo: ['a@example.com'] }] },
      createOutgoing(),
    );
    clock.now = DUE;
    await schedule.tick();
    const [run] = (await schedule.status()).runs;
    expect(run?.errors.mail).toMatch(/^address_refused: .*--outgoing-allow/);
    expect(server.messages).toEqual([]);
  },
);

test('over HTTP it is seen what became of each, and an admin has one made now', async () => {
  const folder = await temporaryFolder();
  const app = await testApp({ reportsFolder: folder });
  await app.store.settings.write(
    { version: 1, targets: [], reports: { schedule: [{ ...MONTHLY, folder: 'out' }] } },
    null,
    0,
  );
  const url = '/api/v1/report-runs';
  expect((await app.send({ url, as: 'read' })).json()).toEqual({
    reports: [{ report: 'management', next: '2026-04-01T06:00:00.000Z' }],
    runs: [],
  });
  const post = (report: string, as: 'read' | 'admin') => app.send({ url, as, method: 'POST', payload: { report } });
  expect((await post('management', 'read')).statusCode).toBe(403);
  expect((await post('nothing', 'admin')).json().error.code).toBe('not_found');
  expect((await post('management', 'admin')).statusCode).toBe(202);
  await expect
    .poll(async () => (await app.send({ url, as: 'read' })).json().runs, { timeout: 20_000 })
    .toMatchObject([{ report: 'management', state: 'done', due: '2026-03-01T12:00:00.000Z', done: ['folder'] }]);
  expect(await readdir(join(folder, 'out'))).toEqual(['management-monthly-2026-02-28.txt']);
});

test('why a way failed is told to viewers without the address or the file that it names', async () => {
  const app = await testApp({ reportsFolder: await temporaryFolder() });
  const webhook = { url: 'http://169.254.169.254/latest' };
  await app.store.settings.write(
    { version: 1, targets: [], reports: { schedule: [{ ...MONTHLY, webhook }] } },
    null,
    0,
  );
  const url = '/api/v1/report-runs';
  await app.send({ url, as: 'admin', method: 'POST', payload: { report: 'management' } });
  const errorsFor = async (as: 'read' | 'admin') => (await app.send({ url, as })).json().runs[0]?.errors;
  await expect.poll(() => errorsFor('read'), { timeout: 20_000 }).toEqual({ webhook: 'address_refused' });
  expect((await errorsFor('admin')).webhook).toContain('169.254.169.254');
});
