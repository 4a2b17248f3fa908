import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { SummaryDocument } from '../../collector/analysis/summary/summary-document.ts';
import { createServerCertificate } from '../../collector/lab/servers/server-certificate.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { makeKey, run, runHere, serve, stop } from './command.ts';
import { temporaryFolder } from './temporary-folder.ts';

const ONE_LINE = /^lastbyte: [^\n]+\n$/;

function batch(id: string = randomUUID()): string {
  const now = Date.now();
  return JSON.stringify(encodeBatch(ORIGIN, id, now, [{ ...PLAIN_SAMPLE, at: now - 1000 }]));
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });

const samplesIn = ({ cells }: SummaryDocument) => cells.reduce((sum, cell) => sum + cell.samples, 0);

async function reported(folder: string): Promise<number> {
  const { stdout } = await run(['report', '--view', 'summary', '--format', 'json', '--data', folder]);
  return samplesIn(JSON.parse(stdout));
}

test('a collector for other machines is not packaged under its own address', async () => {
  const folder = join(await temporaryFolder(), 'data');
  const server = await serve(folder, ['--trust-proxy']);
  expect(server.printed()).toMatch(/open https:\/\/NAME\/ and sign in[\s\S]*NAME is the collector's host name/);
  expect(server.printed()).not.toContain(`open ${server.url}`);
  await stop(server);
  const own = await serve(join(await temporaryFolder(), 'data'));
  expect(own.printed()).toContain(`open ${own.url}/ and sign in`);
  expect(own.printed()).not.toContain('NAME');
});

test('a stored probe that a new document may not have is said to be off, and the collector starts', async () => {
  const folder = join(await temporaryFolder(), 'data');
  const steps = [{ url: 'https://erp.example.com/me', text: 'salary' }];
  const schedule = [{ id: 'ask', target: 'erp', everyMinutes: 60, cookies: true, steps }];
  const targets = [{ id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'] }];
  const store = await openStore({ folder, as: 'command' });
  await store.settings.write({ version: 1, targets, probes: { enabled: true, schedule } }, null, Date.now());
  await store.close();
  const server = await serve(folder);
  await stop(server);
  expect(server.noted()).toMatch(/settings \/probes\/schedule\/0\/steps\/0\/text: the probe ask sends .* does not run/);
});

test('first start to last byte: token, key, example batch by curl, summary, stop, start again', async () => {
  const folder = join(await temporaryFolder(), 'data');
  const server = await serve(folder);
  expect(server.adminToken).toMatch(/^lb_admin_\S{43}$/);

  // A key made beside the running server counts at once.
  const key = await makeKey(folder, 'ingest');
  expect(key).toMatchObject({ role: 'ingest', token: expect.stringMatching(/^lb_ingest_/) });
  expect(JSON.parse(await postAsDocumented(server.url, key.token))).toMatchObject({
    duplicate: false,
    accepted: 3,
    rejected: [],
  });
  expect(JSON.parse(await postAsDocumented(server.url, key.token))).toMatchObject({ duplicate: true, accepted: 0 });

  const overHttp = await fetch(`${server.url}/api/v1/summary`, { headers: bearer(server.adminToken ?? '') });
  const document = (await overHttp.json()) as SummaryDocument;
  expect(document.cells.map(({ host, type }) => [host, type])).toEqual([
    ['cdn.example.net', 'image'],
    ['erp.example.com', 'document'],
    ['erp.example.com', 'script'],
  ]);
  const { from, to } = document.method;
  const printed = await run([
    'report',
    '--view',
    'summary',
    '--format',
    'json',
    '--data',
    folder,
    '--from',
    from,
    '--to',
    to,
  ]);
  expect(JSON.parse(printed.stdout)).toEqual(document);

  expect(await stop(server)).toBe(0);
  const again = await serve(folder);
  expect(again.adminToken).toBeNull();
  expect(await reported(folder)).toBe(3);
  expect(await stop(again, 'SIGINT')).toBe(0);
});

/** The command of docs/wire-format.md. Where there is no curl, the same request is made by hand. */
async function postAsDocumented(url: string, key: string): Promise<string> {
  const doc = await readFile('docs/wire-format.md', 'utf8');
  const command = /```sh\n(curl[\s\S]*?)```/.exec(doc)?.[1]?.replace('http://127.0.0.1:8642', url) ?? '';
  const env = { ...process.env, LASTBYTE_INGEST_KEY: key };
  const hasCurl = await promisify(execFile)('curl', ['--version']).then(
    () => true,
    () => false,
  );
  if (hasCurl) return (await promisify(execFile)('sh', ['-c', command], { env })).stdout;
  const body = await readFile('docs/examples/batch.json');
  return (await fetch(`${url}/api/v1/batches`, { method: 'POST', headers: bearer(key), body })).text();
}

test('settings applied and tokens revoked beside a running server count at once', async () => {
  const folder = await temporaryFolder();
  const server = await serve(folder);
  const key = await makeKey(folder, 'ingest');
  const poll = () => fetch(`${server.url}/api/v1/extension-settings`, { headers: bearer(key.token) });
  expect(await (await poll()).json()).toMatchObject({ revision: 0, targets: [] });

  const settings = { version: 1, targets: [{ id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'] }] };
  const applied = await run(['settings', 'apply', '-', '--data', folder, '--json'], JSON.stringify(settings));
  expect(JSON.parse(applied.stdout)).toEqual({ revision: 1 });
  expect(await (await poll()).json()).toMatchObject({ revision: 1, targets: settings.targets });
  expect(JSON.parse((await run(['settings', 'show', '--data', folder])).stdout)).toEqual(settings);

  expect((await run(['token', 'revoke', key.id, '--data', folder])).code).toBe(0);
  expect((await poll()).status).toBe(401);
});

test('SIGTERM: a batch that is half sent is taken, stored and answered before the end', async () => {
  const folder = await temporaryFolder();
  const server = await serve(folder);
  const { token } = await makeKey(folder, 'ingest');
  const body = batch();
  const sending = request(`${server.url}/api/v1/batches`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-length': Buffer.byteLength(body), expect: '100-continue' },
  });
  sending.flushHeaders();
  // The server has read the headers and waits for the body.
  await once(sending, 'continue');
  sending.write(body.slice(0, 100));
  const closed = once(server.child, 'close');
  server.child.kill('SIGTERM');
  await until(async () => (await refusesConnections(server.url)) || null);
  sending.end(body.slice(100));
  const [response] = await once(sending, 'response');
  expect(response.headers.connection).toBe('close');
  expect(JSON.parse(await text(response))).toMatchObject({ accepted: 1, duplicate: false });
  expect((await closed)[0]).toBe(0);
  expect(await reported(folder)).toBe(1);
});

test('kill -9 at any moment: what was acknowledged is there, once', async () => {
  const folder = await temporaryFolder();
  const server = await serve(folder);
  const { token } = await makeKey(folder, 'ingest');
  const sent: string[] = [];
  const acknowledged: string[] = [];
  const send = async (url: string, id: string) => {
    const answer = await fetch(`${url}/api/v1/batches`, { method: 'POST', headers: bearer(token), body: batch(id) });
    if (answer.status === 200) acknowledged.push(id);
    return (await answer.json()) as { duplicate: boolean };
  };
  const sender = async () => {
    for (;;) {
      const id = randomUUID();
      sent.push(id);
      await send(server.url, id);
    }
  };
  const senders = Array.from({ length: 8 }, sender).map((running) => running.catch(() => null));
  await until(async () => acknowledged.length > 200 || null);
  await stop(server, 'SIGKILL');
  await Promise.all(senders);

  const again = await serve(folder);
  const kept = await reported(folder);
  expect(kept).toBeGreaterThanOrEqual(acknowledged.length);
  expect(kept).toBeLessThanOrEqual(sent.length);
  const promised = acknowledged.slice();
  for (let from = 0; from < promised.length; from += 20) {
    const repeated = await Promise.all(promised.slice(from, from + 20).map((id) => send(again.url, id)));
    expect(repeated.filter(({ duplicate }) => !duplicate)).toEqual([]);
  }
  expect(await reported(folder)).toBe(kept);
});

test('a second server on the same data folder: one clear line, exit code 1', async () => {
  const folder = await temporaryFolder();
  await serve(folder);
  const second = await run(['serve', '--port', '0', '--data', folder]);
  expect(second).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(ONE_LINE) });
  expect(second.stderr).toContain('another Lastbyte server');
});

test('a port in use: one clear line, exit code 1, and no token is spent', async () => {
  const folder = await temporaryFolder();
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const { port } = blocker.address() as { port: number };
  const failed = await run(['serve', '--port', String(port), '--data', folder]);
  expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(ONE_LINE) });
  expect(failed.stderr).toMatch(new RegExp(`port ${port}.*--port`));
  blocker.close();
  expect((await serve(folder)).adminToken).not.toBeNull();
});

test('an unusable data folder: one clear line, exit code 1', async () => {
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, '');
  for (const folder of [file, join(file, 'below')]) {
    const failed = await run(['serve', '--port', '0', '--data', folder]);
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(ONE_LINE) });
    expect(failed.stderr).toMatch(/data folder.*--data/);
  }
});

test.each([
  [['serve', '--host', '0.0.0.0'], /--tls-cert and --tls-key.*--trust-proxy/],
  [['serve', '--tls-cert', 'a.pem'], /--tls-key/],
  [['serve', '--samples', 'clickhouse://ch1/lastbyte', '--cluster', 'prod'], /--cluster.*docs\/scale\.md/],
])('%j is refused: usage, exit code 2', async (args, hint) => {
  const failed = await runHere([...args, '--port', '0', '--data', await temporaryFolder()]);
  expect(failed).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(ONE_LINE) });
  expect(failed.stderr).toMatch(hint);
});

test('with a certificate it speaks TLS', async () => {
  const folder = await temporaryFolder();
  const { authority, chain, key } = await createServerCertificate(['localhost'], Date.now());
  await Promise.all([writeFile(join(folder, 'cert.pem'), chain), writeFile(join(folder, 'key.pem'), key)]);
  const files = ['--tls-cert', join(folder, 'cert.pem'), '--tls-key', join(folder, 'key.pem')];
  const server = await serve(folder, ['--host', 'localhost', ...files]);
  expect(server.url).toMatch(/^https:\/\/localhost:\d+$/);
  const asked = httpsRequest(`${server.url}/healthz`, { ca: authority }).end();
  const [response] = await once(asked, 'response');
  expect(JSON.parse(await text(response))).toEqual({ status: 'ok' });

  const swapped = ['--tls-cert', join(folder, 'key.pem'), '--tls-key', join(folder, 'cert.pem')];
  const failed = await run(['serve', '--port', '0', '--data', await temporaryFolder(), ...swapped]);
  expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(ONE_LINE) });
});

test('what is not HTTP gets a coded error, and the server goes on', async () => {
  const server = await serve(await temporaryFolder());
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.write('hello?\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1.1 400 [\s\S]*"code":"invalid_request"/);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});

test('a log that nobody reads any more does not stop the collector', async () => {
  const folder = await temporaryFolder();
  const server = await serve(folder);
  const { token } = await makeKey(folder, 'read');
  const store = await openStore({ folder, as: 'command' });
  await store.settings.write({ version: 99 }, null, 0);
  await store.close();
  server.child.stderr?.destroy();
  for (let line = 0; line < 3; line++) {
    const failed = await fetch(`${server.url}/api/v1/settings`, { headers: bearer(token) });
    expect(failed.status).toBe(503);
  }
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});

async function refusesConnections(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  return once(socket, 'connect').then(
    () => {
      socket.destroy();
      return false;
    },
    () => true,
  );
}

/** Asks again until there is an answer; the test's own time limit is the end. */
async function until<T>(ask: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
