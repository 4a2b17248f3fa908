import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Sample } from '../../shared/sample/sample.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { readPrometheus } from '../collector/prometheus-reader.ts';
import { type TestApp, testApp } from '../collector/test-app.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';

const named = (target: string, host: string, template: string): Sample => ({ ...PLAIN_SAMPLE, target, host, template });
const invented = (name: (n: number) => Sample) => Array.from({ length: 5_000 }, (_, n) => name(n));

async function post(app: TestApp, samples: readonly Sample[], client: string): Promise<void> {
  const batch = encodeBatch({ ...ORIGIN, client }, randomUUID(), app.clock.now, samples);
  const payload = JSON.stringify(batch);
  const headers = { 'content-type': 'application/json' };
  const { statusCode } = await app.send({ method: 'POST', url: '/api/v1/batches', as: 'ingest', payload, headers });
  expect(statusCode).toBe(200);
}

async function namesOf(app: TestApp, client: string): Promise<string[]> {
  const names: string[] = [];
  for await (const block of app.store.samples.scan({ range: { from: 0, to: 8e15 }, filters: {} })) {
    for (const { origin, target, host, template } of block) {
      if (origin.client === client) names.push(`${target} ${host}${template}`);
    }
  }
  return names;
}

test('three batches of invented names leave a configured target, its host and its room for templates alone', async () => {
  const app = await testApp();
  const [attacker, honest] = [randomUUID(), randomUUID()];
  const target = (id: string, host: string) => ({ id, name: id, match: [`https://${host}/*`] });
  await app.store.settings.write({ version: 1, targets: [target('erp', 'erp.test')] }, null, NOW);
  await post(
    app,
    invented((n) => named(`target-${n}`, 'a.test', '/')),
    attacker,
  );
  await post(
    app,
    invented((n) => named('erp', `h${n}.test`, '/')),
    attacker,
  );
  await post(
    app,
    invented((n) => named('erp', `h${n}.test`, `/invented-${n}`)),
    attacker,
  );
  await post(app, [named('erp', 'erp.test', '/orders'), named('erp', 'cdn.test', '/logo')], honest);
  // A target that is added meanwhile has its names at once.
  await app.store.settings.write(
    { version: 1, targets: [target('erp', 'erp.test'), target('crm', 'crm.test')] },
    1,
    NOW,
  );
  await post(app, [named('crm', 'crm.test', '/')], honest);
  expect(await namesOf(app, honest)).toEqual(['erp erp.test/orders', 'erp (other)(other)', 'crm crm.test/']);
  const kept = await namesOf(app, attacker);
  const folded = kept.filter((name) => name.includes('(other)')).length + 1;
  expect(new Set(kept).size).toBeLessThan(1_500);
  const { series } = readPrometheus((await app.send({ url: '/metrics' })).body);
  const counted = series.filter(({ name }) => name === 'lastbyte_rows_folded_total');
  expect(counted).toEqual([{ name: 'lastbyte_rows_folded_total', labels: { key: expect.any(String) }, value: folded }]);
});
