/**
 * Holds /metrics and the Grafana dashboard to the real programs: promtool reads the text, Prometheus scrapes a running
 * collector with a read token, and every expression of the dashboard is asked of it.
 *
 *   apt-get download prometheus && dpkg -x prometheus_*.deb prom      # or: apt-get install prometheus
 *   npm run build && PROMETHEUS_BIN=prom/usr/bin node tests/programs/check-prometheus.mjs
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort, until, withPrograms } from './with-programs.mjs';

const bin = (name) => (process.env.PROMETHEUS_BIN ? join(process.env.PROMETHEUS_BIN, name) : name);

await withPrograms('prometheus', async ({ folder, start }) => {
  const data = join(folder, 'data');
  const lastbyte = (...args) =>
    execFileSync(process.execPath, ['dist/lastbyte.mjs', ...args, '--data', data], { encoding: 'utf8' });
  const token = (role) => JSON.parse(lastbyte('token', 'create', '--role', role, '--json', '--create')).token;
  const [ingest, read] = [token('ingest'), token('read')];
  const port = await freePort();
  // Declared behind a proxy, so that /metrics wants its token.
  start(process.execPath, ['dist/lastbyte.mjs', 'serve', '--trust-proxy', '--port', String(port), '--data', data]);
  const url = `http://127.0.0.1:${port}`;
  await until(() => fetch(`${url}/readyz`).then(({ ok }) => ok));

  const send = () => sendBatch(url, ingest);
  await send();
  assert.equal((await fetch(`${url}/metrics`)).status, 401);
  const text = await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${read}` } })).text();
  const lint = execFileSync(bin('promtool'), ['check', 'metrics'], { input: text, encoding: 'utf8' });
  assert.equal(lint.trim(), '', 'promtool has something to say');
  console.log(`promtool: ${text.split('\n').length} lines in order`);

  const prometheus = await startPrometheus(folder, start, port, read);
  const ask = async (expression) => {
    const answer = await (await fetch(`${prometheus}/api/v1/query?query=${encodeURIComponent(expression)}`)).json();
    assert.equal(answer.status, 'success', `${expression}: ${answer.error}`);
    return answer.data.result;
  };
  await until(async () => (await ask('up == 1')).length === 1);
  await until(async () => {
    await send();
    await setTimeout(1000);
    return (await ask('rate(lastbyte_phase_seconds_count{phase="ttlb"}[30s]) > 0')).length > 0;
  });
  const dashboard = JSON.parse(await readFile('docs/grafana/lastbyte.json', 'utf8'));
  const empty = [];
  let asked = 0;
  for (const { title, targets } of dashboard.panels) {
    for (const { expr } of targets) {
      const whole = expr.replaceAll('$__rate_interval', '30s').replaceAll('$host', '.*').replaceAll('$type', '.*');
      if ((await ask(whole)).length === 0) empty.push(title);
      asked++;
    }
  }
  console.log(`Prometheus: ${asked} expressions parsed and answered; without data here: ${empty.join(', ') || 'none'}`);
  const [{ value }] = await ask('histogram_quantile(0.5, sum by (le) (lastbyte_phase_seconds_bucket{phase="ttlb"}))');
  const headers = { authorization: `Bearer ${read}` };
  const { cells } = await (await fetch(`${url}/api/v1/summary?by=target`, { headers })).json();
  const own = cells[0].phases.ttlb.median;
  const theirs = Number(value[1]) * 1000;
  // Buckets double, so that is how far Prometheus may be off.
  assert.ok(theirs >= own / 2 && theirs <= own * 2, `median ${theirs} ms, not about ${own} ms`);
  console.log(`median ttlb: ${own} ms here, ${theirs.toFixed(1)} ms by Prometheus`);
});

async function startPrometheus(folder, start, collector, credentials) {
  const port = await freePort();
  const config = join(folder, 'prometheus.yml');
  await writeFile(
    config,
    `global: {scrape_interval: 1s}
scrape_configs:
  - job_name: lastbyte
    authorization: {credentials: ${credentials}}
    static_configs: [{targets: ['127.0.0.1:${collector}']}]
`,
  );
  execFileSync(bin('promtool'), ['check', 'config', config]);
  start(bin('prometheus'), [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder, 'tsdb')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=error',
  ]);
  await until(() => fetch(`http://127.0.0.1:${port}/-/ready`).then(({ ok }) => ok));
  return `http://127.0.0.1:${port}`;
}

/** The documented batch, as of now, with a new id, from six browsers. */
async function sendBatch(url, key) {
  const example = JSON.parse(await readFile('docs/examples/batch.json', 'utf8'));
  for (let browser = 0; browser < 6; browser++) {
    const shift = Date.now() - example.sentAt;
    const at = [...example.columns.at];
    at[0] += shift;
    const batch = {
      ...example,
      batch: crypto.randomUUID(),
      client: `00000000-0000-4000-8000-00000000000${browser}`,
      sentAt: Date.now(),
      columns: { ...example.columns, at: at.map((value, place) => (place === 0 ? Date.now() : Math.min(value, 0))) },
    };
    const response = await fetch(`${url}/api/v1/batches`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(batch),
    });
    assert.equal(response.status, 200, await response.text());
  }
}
