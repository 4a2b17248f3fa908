import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:http2';
import { Agent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_APPS, demoTargets } from '../../../collector/lab/demo/demo-apps.ts';
import { type DemoSite, startDemoSite } from '../../../collector/lab/demo/demo-site.ts';
import { connectThroughSocks } from './connect-through-socks.ts';

let site: DemoSite;
beforeAll(async () => {
  site = await startDemoSite(Date.now());
});
afterAll(() => site.close());

interface Fetched {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** From the request on a connection that stands, ms. */
  readonly waitMs: number;
  readonly tls: string | null;
}

/** On the way that browsers take, where the delays are; ready to be asked. */
async function connectFar(host: string, alpn: string): Promise<{ socket: Socket; connectMs: number }> {
  const origin = new URL(site.origins[host] ?? '');
  const start = performance.now();
  const socket = await connectThroughSocks(site.proxy, host, Number(origin.port));
  const connectMs = performance.now() - start;
  if (origin.protocol === 'http:') return { socket, connectMs };
  const secure = connectTls({ socket, servername: host, ca: site.authority, ALPNProtocols: [alpn] });
  await once(secure, 'secureConnect');
  return { socket: secure, connectMs };
}

function fetchFrom(host: string, path: string, agent?: Agent, socket?: Socket): Promise<Fetched> {
  const origin = new URL(site.origins[host] ?? '');
  const request = origin.protocol === 'http:' ? httpRequest : httpsRequest;
  const options = { host: '127.0.0.1', port: origin.port, path, servername: host, ca: site.authority };
  return new Promise((resolve, reject) => {
    let sent = performance.now();
    const over = socket ? { createConnection: () => socket } : agent ? { agent } : {};
    const sending = (socket ? httpRequest : request)(
      { ...options, headers: { host, connection: 'keep-alive' }, ...over },
      (response) => {
        const waitMs = performance.now() - sent;
        const tls = 'getProtocol' in response.socket ? (response.socket as TLSSocket).getProtocol() : null;
        let body = '';
        response.setEncoding('latin1').on('data', (text) => {
          body += text;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body, waitMs, tls }),
        );
      },
    );
    sending.on('socket', (socket) => {
      socket.on('secureConnect', () => {
        sent = performance.now();
      });
    });
    sending.on('error', reject);
    sending.end();
  });
}

describe('the demo site', () => {
  it.each(DEMO_APPS.filter((app) => app.protocol !== 'h2'))('$host waits at least its delays', async (app) => {
    const { socket, connectMs } = await connectFar(app.host, 'http/1.1');
    expect(connectMs).toBeGreaterThanOrEqual(app.roundTripMs);
    const { waitMs, tls, headers } = await fetchFrom(app.host, '/api/orders/4711/lines/0', undefined, socket);
    expect(waitMs).toBeGreaterThanOrEqual(app.serverDelayMs + app.roundTripMs);
    expect(tls).toBe(app.tlsVersion);
    expect(headers.connection).toBe(app.connection);
  });

  it('speaks HTTP/2 on h2.demo.test, with its delays', async () => {
    const { socket } = await connectFar('h2.demo.test', 'h2');
    const session = connect('https://h2.demo.test', { createConnection: () => socket });
    await new Promise<void>((resolve) => session.once('remoteSettings', () => resolve()));
    const start = performance.now();
    const status = await new Promise((resolve) => {
      session.request({ ':path': '/orders/1' }).on('response', (headers) => resolve(headers[':status']));
    });
    expect(status).toBe(200);
    expect(performance.now() - start).toBeGreaterThanOrEqual(95);
    session.close();
  });

  it('answers on one connection again and again, except on close.demo.test', async () => {
    for (const [host, same] of [
      ['keepalive.demo.test', true],
      ['close.demo.test', false],
    ] as const) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      let connections = 0;
      const create = agent.createConnection.bind(agent);
      agent.createConnection = (...args) => {
        connections++;
        return create(...args);
      };
      await fetchFrom(host, '/orders/1', agent);
      await fetchFrom(host, '/orders/2', agent);
      agent.destroy();
      expect(connections).toBe(same ? 1 : 2);
    }
  });

  it('names the handshake in Server-Timing, which no browser can see otherwise', async () => {
    const { headers } = await fetchFrom('keepalive.demo.test', '/orders/1', new Agent({ maxCachedSessions: 0 }));
    expect(headers['server-timing']).toMatch(/^server;dur=25, cpu;dur=[\d.]+, conn;desc="new", tls;desc="full"$/);
    expect((await fetchFrom('http.demo.test', '/orders/1')).headers['server-timing']).toMatch(
      /^server;dur=15, cpu;dur=[\d.]+, conn;desc="(new|reused)"$/,
    );
  });

  it('has what shows caching, exclusion and hidden timings', async () => {
    const of = (host: string, path: string) => fetchFrom(host, path);
    expect((await of('http.demo.test', '/assets/app.css')).headers['cache-control']).toContain('max-age');
    expect((await of('http.demo.test', '/photos/4711-0.png')).headers['cache-control']).toBe('no-store');
    expect((await of('http.demo.test', '/api/admin')).status).toBe(401);
    expect((await of('http.demo.test', '/api/orders/1/missing')).status).toBe(404);
    expect((await of('third.demo.test', '/open/map.png')).headers['timing-allow-origin']).toBe('*');
    expect((await of('third.demo.test', '/hidden/advert.png')).headers['timing-allow-origin']).toBeUndefined();
    expect((await of('http.demo.test', '/orders/4711')).body).toContain(
      `${site.origins['third.demo.test']}/open/map.png`,
    );
  });
});

it('tells its delays apart and tells the summary only what that holds', () => {
  const total = DEMO_APPS.map((app) => app.serverDelayMs + app.roundTripMs);
  expect(new Set(total).size).toBe(total.length);
  expect(Object.keys(demoTargets()[0] ?? {})).toEqual([
    'host',
    'scheme',
    'protocol',
    'connection',
    'serverDelayMs',
    'roundTripMs',
  ]);
});
