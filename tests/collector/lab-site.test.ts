import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { Agent, request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  LAB_HOST,
  LAB_VARIANTS,
  type LabSite,
  type LabVariant,
  startLabSite,
} from '../../collector/lab/servers/lab-site.ts';

const ROUND_TRIP = 40;
const SERVER = 10;

let site: LabSite;
beforeAll(async () => {
  site = await startLabSite({ now: Date.now(), roundTripMs: ROUND_TRIP, serverDelayMs: SERVER });
});
afterAll(() => site.close());

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: number;
  readonly ms: number;
}

function ask(variant: LabVariant, scheme: 'http' | 'https', path: string, agent?: Agent): Promise<Answer> {
  const send = scheme === 'http' ? httpRequest : httpsRequest;
  const options = {
    host: '127.0.0.1',
    port: site.ports[variant],
    path,
    servername: LAB_HOST,
    ca: site.authority,
    headers: { host: LAB_HOST },
    ...(agent ? { agent } : {}),
  };
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const sending = send(options, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => {
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, headers, bytes, ms: performance.now() - start });
      });
    });
    sending.on('error', reject).end();
  });
}

function told({ headers }: Answer): Record<string, string> {
  const parts = String(headers['server-timing']).split(', ');
  return Object.fromEntries(parts.map((part) => [part.split(';')[0], part.replace(/^.*?=/, '').replaceAll('"', '')]));
}

describe.each(['tls13', 'tls12'] as const)('%s', (version) => {
  test('says full, then reused, then resumed, and full again where there are no tickets', async () => {
    for (const [variant, second] of [
      [version, 'resumed'],
      [`${version}-full`, 'full'],
    ] as const) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const first = told(await ask(variant, 'https', '/1k', agent));
      expect(first).toMatchObject({ conn: 'new', tls: 'full', server: String(SERVER) });
      expect(told(await ask(variant, 'https', '/close/1k', agent))).toMatchObject({ conn: 'reused', tls: 'full' });
      expect(told(await ask(variant, 'https', '/1k', agent))).toMatchObject({ conn: 'new', tls: second });
      agent.destroy();
    }
  });
});

test('plain HTTP on the same port, and no word of TLS there', async () => {
  for (const variant of LAB_VARIANTS) {
    const answer = await ask(variant, 'http', '/4k');
    expect(answer).toMatchObject({ status: 200, bytes: 4096 });
    expect(answer.ms).toBeGreaterThanOrEqual(ROUND_TRIP + SERVER);
    expect(told(answer)).toEqual({ server: '10', cpu: expect.stringMatching(/^\d+\.\d+$/), conn: 'new' });
  }
});

test('HTTP/2 tells new from reused by its session', async () => {
  const session = connectHttp2(`https://127.0.0.1:${site.ports.h2}`, { ca: site.authority, servername: LAB_HOST });
  const timing = () =>
    new Promise<string>((resolve) => {
      session.request({ ':path': '/1k' }).on('response', (headers) => resolve(String(headers['server-timing'])));
    });
  expect(await timing()).toMatch(/conn;desc="new", tls;desc="full"/);
  expect(await timing()).toMatch(/conn;desc="reused"/);
  session.close();
});

test.each([
  ['/2k', 200, 2048],
  ['/1m', 200, 1024 * 1024],
  ['/status/401/1k', 401, 1024],
  ['/status/500/1k', 500, 1024],
  ['/redirect/1k', 302, 0],
  ['/no-frame/1k', 200, 1024],
  ['/17m', 404, 13],
  ['/nothing/here', 404, 13],
] as const)('%s answers %i with %i bytes', async (path, status, bytes) => {
  expect(await ask('tls13', 'http', path)).toMatchObject({ status, bytes });
});

test('is slow when asked, says so, and varies its size', async () => {
  const slow = await ask('tls13', 'http', '/slow/200/1k');
  expect(slow.ms).toBeGreaterThanOrEqual(ROUND_TRIP + SERVER + 200);
  expect(told(slow).server).toBe('210');
  expect((await ask('tls13', 'http', '/varies')).bytes).not.toBe((await ask('tls13', 'http', '/varies')).bytes);
  expect((await ask('tls13', 'http', '/no-frame/1k')).headers['x-frame-options']).toBe('DENY');
});

test('has a certificate that ran out, of an authority that nobody was told of', async () => {
  await expect(ask('expired', 'https', '/1k')).rejects.toThrow(/self-signed|unable to|expired/);
});

test('over the path the connection itself takes a round trip, and the request another', async () => {
  const { port } = new URL(site.path.replace('socks5:', 'http:'));
  const socket = connect(Number(port), '127.0.0.1');
  const start = performance.now();
  const answered = (isWhole: (all: Buffer) => boolean) =>
    new Promise<{ all: Buffer; at: number }>((resolve) => {
      let all = Buffer.alloc(0);
      socket.on('data', function more(chunk: Buffer) {
        all = Buffer.concat([all, chunk]);
        if (!isWhole(all)) return;
        socket.off('data', more);
        resolve({ all, at: performance.now() - start });
      });
    });
  socket.write(Buffer.from([5, 1, 0]));
  const greeted = await answered(({ length }) => length >= 2);
  expect([...greeted.all]).toEqual([5, 0]);
  const name = Buffer.from(LAB_HOST);
  const asked = site.ports.tls13;
  socket.write(Buffer.concat([Buffer.from([5, 1, 0, 3, name.length]), name, Buffer.from([asked >> 8, asked & 0xff])]));
  const connected = await answered(({ length }) => length >= 10);
  expect(connected.all[1]).toBe(0);
  expect(connected.at - greeted.at).toBeGreaterThanOrEqual(ROUND_TRIP);
  // One round trip and not two: the ports' own delay is not on the path. The quickest of five, as a busy machine adds to any one.
  let quickest = Number.POSITIVE_INFINITY;
  let before = connected.at;
  for (let request = 0; request < 5; request++) {
    socket.write(`GET /1k HTTP/1.1\r\nhost: ${LAB_HOST}\r\n\r\n`);
    const { all, at } = await answered(
      (bytes) => bytes.length >= bytes.indexOf('\r\n\r\n') + 4 + 1024 && bytes.includes('\r\n\r\n'),
    );
    expect(all.toString()).toMatch(/^HTTP\/1\.1 200/);
    quickest = Math.min(quickest, at - before);
    before = at;
  }
  expect(quickest).toBeGreaterThanOrEqual(ROUND_TRIP + SERVER);
  expect(quickest).toBeLessThan(2 * ROUND_TRIP + SERVER);
  socket.destroy();
});
