/**
 * Holds the OTLP push to a real OpenTelemetry Collector: it takes what a running Lastbyte pushes and prints it decoded.
 *
 * Any collector with the otlp receiver and the debug exporter will do. With Go, a small one is built of the official
 * modules (some minutes):
 *   cd tests/programs/otelcol && go mod init otelcol && go get go.opentelemetry.io/collector/{otelcol,receiver/otlpreceiver,exporter/debugexporter}@v0.109.0 go.opentelemetry.io/collector/confmap/provider/fileprovider@v1.15.0 && go build -o /tmp/otelcol .
 * Then:
 *   npm run build && OTELCOL=/tmp/otelcol node tests/programs/check-otlp.mjs
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, until, withPrograms } from './with-programs.mjs';

await withPrograms('otlp', async ({ folder, start, printed }) => {
  const data = join(folder, 'data');
  const receiver = await freePort();
  const config = join(folder, 'otelcol.yml');
  await writeFile(
    config,
    `receivers: {otlp: {protocols: {http: {endpoint: '127.0.0.1:${receiver}'}}}}
exporters: {debug: {verbosity: detailed}}
service:
  telemetry: {metrics: {level: none}}
  pipelines: {metrics: {receivers: [otlp], exporters: [debug]}}
`,
  );
  start(process.env.OTELCOL ?? 'otelcol', ['--config', config]);
  await until(() => printed().includes('Everything is ready'));

  const key = JSON.parse(
    execFileSync(
      process.execPath,
      ['dist/lastbyte.mjs', 'token', 'create', '--role', 'ingest', '--json', '--data', data, '--create'],
      { encoding: 'utf8' },
    ),
  ).token;
  const port = await freePort();
  process.env.OTEL_METRIC_EXPORT_INTERVAL = '1000';
  start(process.execPath, [
    ...['dist/lastbyte.mjs', 'serve', '--port', String(port), '--data', data],
    ...['--otlp', `http://127.0.0.1:${receiver}`],
  ]);
  const url = `http://127.0.0.1:${port}`;
  await until(() => fetch(`${url}/readyz`).then(({ ok }) => ok));
  const batch = JSON.parse(await readFile('docs/examples/batch.json', 'utf8'));
  batch.columns.at = batch.columns.at.map((value, place) => (place === 0 ? Date.now() : Math.max(0, value)));
  batch.sentAt = Date.now();
  batch.columns.at = batch.columns.at.map((value, place) => (place === 0 ? value : 0));
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/v1/batches`, { method: 'POST', headers, body: JSON.stringify(batch) });
  assert.equal(response.status, 200, await response.text());

  await until(() => /Name: lastbyte_phase_seconds[\s\S]*phase: Str\(tls\)/.test(printed()));
  assert.match(printed(), /service\.name: Str\(lastbyte\)/);
  assert.match(
    printed(),
    /Name: lastbyte_phase_seconds\s+-> Description: .*\s+-> Unit: s\s+-> DataType: Histogram\s+-> AggregationTemporality: Cumulative/,
  );
  assert.match(printed(), /Name: lastbyte_samples_total[\s\S]*?IsMonotonic: true/);
  await until(async () =>
    /lastbyte_otlp_pushes_total\{outcome="taken"\} [1-9]/.test(await (await fetch(`${url}/metrics`)).text()),
  );
  const names = new Set([...printed().matchAll(/Name: ([a-z_]+)/g)].map(([, name]) => name));
  console.log(`OpenTelemetry Collector: took ${names.size} metrics, histograms among them`);
});
