import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createMetrics } from '../../collector/monitoring/metrics/collect-metrics.ts';
import { metricsUrl, startOtlpPush } from '../../collector/monitoring/otlp/otlp-push.ts';
import { pushMetrics } from '../../collector/monitoring/otlp/push-metrics.ts';
import { createOutgoing } from '../../collector/outgoing/outgoing.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { fill } from './fill-store.ts';
import { double, type Message, messages, packed, readMessage, text } from './read-protobuf.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** An OTLP receiver that answers with `status`. */
async function receiver(status: number) {
  const got: { path: string; type: string; body: Buffer }[] = [];
  const server = createServer(async (request, response) => {
    const raw = await buffer(request);
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
    got.push({ path: request.url ?? '', type: request.headers['content-type'] ?? '', body });
    response.writeHead(status, { 'content-type': 'application/x-protobuf' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { got, url: `http://127.0.0.1:${(server.address() as { port: number }).port}` };
}

async function measured() {
  const clock = { now: NOW };
  const store = await openStore({ folder: await temporaryFolder(), as: 'command' });
  const metrics = createMetrics({ store, clock: () => clock.now, version: '1', others: async () => [] });
  await fill(store, [{ ...PLAIN_SAMPLE, at: NOW + 1 }]);
  clock.now += 1000;
  onTestFinished(async () => {
    metrics.stop();
    await store.close();
  });
  return { metrics, clock: () => clock.now };
}

/** https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/metrics/v1/metrics.proto */
function metricsOf(body: Buffer): Map<string, Message> {
  const [resource] = messages(readMessage(body), 1);
  const [scope] = messages(resource as Message, 2);
  return new Map(messages(scope as Message, 2).map((metric) => [text(metric, 1), metric]));
}

test('a receiver gets by OTLP what /metrics tells', async () => {
  const { got, url } = await receiver(200);
  const { metrics, clock } = await measured();
  const outcomes: unknown[] = [];
  const pushed = (error: unknown) => outcomes.push(error);
  const guard = createOutgoing().operatorGuard;
  const push = startOtlpPush({ url, metrics, guard, version: '1', clock, pushed, intervalMs: 3_600_000 });
  await push.stop(true);
  expect(outcomes).toEqual([null]);
  expect(got).toMatchObject([{ path: '/v1/metrics', type: 'application/x-protobuf' }]);

  const told = metricsOf(got[0]?.body ?? Buffer.alloc(0));
  expect([...told.keys()].sort()).toEqual((await metrics.collect()).map(({ name }) => name).sort());
  const phases = told.get('lastbyte_phase_seconds') as Message;
  expect(text(phases, 3)).toBe('s');
  const [histogram] = messages(phases, 9);
  // AGGREGATION_TEMPORALITY_CUMULATIVE
  expect(histogram?.get(2)).toEqual([2n]);
  const attributesOf = (point: Message) =>
    Object.fromEntries(messages(point, 9).map((pair) => [text(pair, 1), text(messages(pair, 2)[0] as Message, 1)]));
  const tls = messages(histogram as Message, 1).find((point) => attributesOf(point).phase === 'tls') as Message;
  expect(attributesOf(tls)).toMatchObject({ host: 'erp.example.com', scenario: 'https-new', source: 'page' });
  expect(double(tls, 5)).toBeCloseTo(0.0418, 9);
  const bounds = packed(tls, 7, (bytes, at) => bytes.readDoubleLE(at));
  const counts = packed(tls, 6, (bytes, at) => Number(bytes.readBigUInt64LE(at)));
  expect(counts).toHaveLength(bounds.length + 1);
  expect(counts.indexOf(1)).toBe(bounds.indexOf(0.065535));
  // start_time_unix_nano: the start of the process.
  const startedAt = tls.get(2)?.[0] as Buffer;
  expect(startedAt.readBigUInt64LE(0)).toBe(BigInt(NOW) * 1_000_000n);
  const [sum] = messages(told.get('lastbyte_samples_total') as Message, 7);
  expect(sum?.get(3)).toEqual([1n]);
});

test('a receiver that refuses is told of once, and counted', async () => {
  const { url } = await receiver(400);
  const { metrics, clock } = await measured();
  const errors: unknown[] = [];
  process.env.OTEL_METRIC_EXPORT_INTERVAL = '100';
  onTestFinished(() => {
    delete process.env.OTEL_METRIC_EXPORT_INTERVAL;
  });
  const push = pushMetrics({ otlpUrl: url, version: '1', clock }, metrics, (error) => errors.push(error));
  await push.start();
  const failures = () => push.families()[0]?.series.map((one) => ('value' in one ? one.value : 0));
  await expect.poll(() => failures()?.[1], { timeout: 20_000 }).toBeGreaterThan(1);
  await push.stop();
  expect(errors).toHaveLength(1);
  expect(failures()?.[0]).toBe(0);
});

test.each(['http://169.254.169.254:4318', 'http://[::ffff:169.254.169.254]:4318', 'http://0.0.0.0:4318'])(
  'nothing is pushed to %s',
  async (url) => {
    const { metrics, clock } = await measured();
    const outcomes: unknown[] = [];
    const pushed = (error: unknown) => outcomes.push(error);
    const guard = createOutgoing().operatorGuard;
    const push = startOtlpPush({ url, metrics, guard, version: '1', clock, pushed, intervalMs: 3_600_000 });
    await push.stop(true);
    expect(outcomes).toMatchObject([{ code: 'address_refused' }]);
  },
);

test('a name that resolves to such an address is refused as well', async () => {
  const { metrics, clock } = await measured();
  const outcomes: unknown[] = [];
  const pushed = (error: unknown) => outcomes.push(error);
  const guard = createOutgoing({ deny: ['127.0.0.0/8', '::1'] }).operatorGuard;
  const { got, url } = await receiver(200);
  const push = startOtlpPush({
    url: url.replace('127.0.0.1', 'localhost'),
    metrics,
    guard,
    version: '1',
    clock,
    pushed,
    intervalMs: 3_600_000,
  });
  await push.stop(true);
  expect(outcomes).toMatchObject([{ code: 'address_refused' }]);
  expect(got).toEqual([]);
});

test('an address without a path gets the one of the specification', () => {
  expect(metricsUrl('http://otel.example.com:4318')).toBe('http://otel.example.com:4318/v1/metrics');
  expect(metricsUrl('https://otel.example.com/in/v1/metrics')).toBe('https://otel.example.com/in/v1/metrics');
});
