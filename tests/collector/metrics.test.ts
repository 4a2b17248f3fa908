import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openStore } from '../../collector/storage/open-store.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { browserId, fill } from './fill-store.ts';
import { readPrometheus } from './prometheus-reader.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { testApp } from './test-app.ts';

const PAGE = { target: 'erp', host: 'erp.example.com', type: 'document', scenario: 'https-new', source: 'page' };

/** Samples that were taken after the start of the collector. */
async function measuredApp(changes = {}) {
  const app = await testApp(changes);
  const later = { ...PLAIN_SAMPLE, at: NOW + 1000 };
  await fill(app.store, [later, { ...later, template: '/b' }]);
  await fill(app.store, [{ ...later, source: 'probe-https-new' }], { client: browserId(2) });
  await fill(app.store, [{ ...PLAIN_SAMPLE, at: NOW - 60_000 }]);
  app.clock.now = NOW + 2000;
  return app;
}

test('Prometheus gets the phases as histograms, users and probes apart, from the start of the process on', async () => {
  const { send } = await measuredApp();
  const response = await send({ url: '/metrics' });
  expect(response.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  const { series, types } = readPrometheus(response.body);
  expect(types.get('lastbyte_phase_seconds')).toBe('histogram');
  const tls = series.filter(({ labels }) => labels.phase === 'tls' && labels.source === 'page');
  const value = (name: string) => tls.find((one) => one.name === `lastbyte_phase_seconds_${name}`)?.value;
  expect(value('count')).toBe(2);
  expect(value('sum')).toBeCloseTo(0.0836, 9);
  const buckets = tls.filter(({ labels }) => labels.le !== undefined).map((one) => one.value);
  expect(buckets).toEqual([...buckets].sort((a, b) => a - b));
  expect(buckets.at(-1)).toBe(2);
  expect(series).toContainEqual({ name: 'lastbyte_samples_total', labels: { ...PAGE, evidence: 'usable' }, value: 2 });
  expect(series.filter(({ labels }) => labels.source === 'probe-https-new').length).toBeGreaterThan(0);
});

test('the collector tells how it is: answers, batches, store', async () => {
  const { send, clock } = await measuredApp();
  const body = await readFile('docs/examples/batch.json', 'utf8');
  const headers = { 'content-type': 'application/json' };
  await send({ method: 'POST', url: '/api/v1/batches', as: 'ingest', headers, body });
  await send({ url: '/nowhere/at/all', as: 'read' });
  clock.now += 60_000;
  const { series } = readPrometheus((await send({ url: '/metrics' })).body);
  const value = (name: string, labels: object = {}) =>
    series.find((one) => one.name === name && Object.entries(labels).every(([key, word]) => one.labels[key] === word))
      ?.value;
  expect(value('lastbyte_batches_total', { outcome: 'stored' })).toBe(1);
  expect(value('lastbyte_store_ready')).toBe(1);
  expect(value('lastbyte_http_request_seconds_count', { route: '/api/v1/batches', status: '200' })).toBe(1);
  expect(value('lastbyte_http_request_seconds_count', { route: 'none', status: '404' })).toBe(1);
  expect(value('lastbyte_store_file_bytes')).toBeGreaterThan(0);
  expect(value('process_start_time_seconds')).toBe(NOW / 1000);
  expect(value('lastbyte_groups_dropped', { reason: 'limit' })).toBe(0);
});

test('while samples on other machines cannot be read, the collector still tells how it is', async () => {
  const folder = await temporaryFolder();
  const samples = { url: 'http://127.0.0.1:1', user: 'default', password: '', database: 'away' };
  const { send, store } = await testApp({ store: await openStore({ folder, as: 'command', samples }) });
  await fill(store, [PLAIN_SAMPLE]);
  const { statusCode, body } = await send({ url: '/metrics' });
  expect(statusCode).toBe(200);
  const { series } = readPrometheus(body);
  expect(series).toContainEqual({ name: 'lastbyte_samples_readable', labels: {}, value: 0 });
  expect(series).toContainEqual({ name: 'lastbyte_forward_backlog_samples', labels: {}, value: 1 });
  expect(series.filter(({ name }) => name.startsWith('lastbyte_samples_total'))).toEqual([]);
});

test('series of an app end with the app, and come back with it', async () => {
  const { send, clock, store } = await measuredApp();
  const apps = async (ids: readonly string[]) => {
    const targets = ids.map((id) => ({ id, name: id, match: [`https://${id}.example.com/*`] }));
    const revision = (await store.settings.read())?.revision ?? null;
    await store.settings.write({ version: 1, targets }, revision, NOW);
    clock.now += 10_000;
    const { series } = readPrometheus((await send({ url: '/metrics' })).body);
    const removed = series.find(({ labels }) => labels.reason === 'removed_app')?.value ?? 0;
    return { targets: [...new Set(series.flatMap(({ labels }) => labels.target ?? []))], wereRemoved: removed > 0 };
  };
  expect(await apps(['erp', 'crm'])).toEqual({ targets: ['erp'], wereRemoved: false });
  expect(await apps(['crm'])).toEqual({ targets: [], wereRemoved: true });
  expect(await apps(['erp'])).toEqual({ targets: ['erp'], wereRemoved: false });
});

test('only on loopback without a token; an ingest key never', async () => {
  const local = await testApp();
  expect((await local.send({ url: '/metrics' })).statusCode).toBe(200);
  const open = await testApp({ loopbackOnly: false });
  expect((await open.send({ url: '/metrics' })).statusCode).toBe(401);
  expect((await open.send({ url: '/metrics', as: 'ingest' })).statusCode).toBe(403);
  expect((await open.send({ url: '/metrics', as: 'read' })).statusCode).toBe(200);
});

test('every metric and label that the Grafana dashboard asks for is told', async () => {
  const { send } = await measuredApp();
  await send({ url: '/healthz' });
  const { series } = readPrometheus((await send({ url: '/metrics' })).body);
  const names = new Set(series.map(({ name }) => name));
  const labels = new Set(series.flatMap((one) => Object.keys(one.labels)));
  const dashboard = JSON.parse(await readFile('docs/grafana/lastbyte.json', 'utf8'));
  const expressions: string[] = dashboard.panels.flatMap((panel: { targets?: { expr: string }[] }) =>
    (panel.targets ?? []).map(({ expr }) => expr),
  );
  const variables: string[] = dashboard.templating.list.flatMap((one: { query?: unknown }) =>
    typeof one.query === 'string' && one.query.includes('label_values') ? [one.query] : [],
  );
  expect(expressions.length).toBeGreaterThan(8);
  for (const text of [...expressions, ...variables]) {
    const asked = text.match(/\b(?:lastbyte|process)_[a-z_]+/g) ?? [];
    expect({ text, asked: asked.length > 0, missing: asked.filter((name) => !names.has(name)) }).toEqual({
      text,
      asked: true,
      missing: [],
    });
    const grouped = [...text.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/, */));
    const matched = [...text.matchAll(/([a-z]+)(?:=~|!~|!=|=)"/g)].map(([, name = '']) => name);
    expect({ text, unknown: [...grouped, ...matched].filter((name) => !labels.has(name)) }).toEqual({
      text,
      unknown: [],
    });
  }
});
