import { describe, expect, test } from 'vitest';
import { cpuSeries, parseSeries, ServerMetrics } from '../../../collector/lab/load/server-metrics.ts';

const NODE_EXPORTER = `# HELP node_cpu_seconds_total Seconds the CPUs spent in each mode.
# TYPE node_cpu_seconds_total counter
node_cpu_seconds_total{cpu="0",mode="idle"} 1000.5
node_cpu_seconds_total{cpu="0",mode="user"} 12.5
node_cpu_seconds_total{cpu="0",mode="system"} 2e0 1700000000000
process_cpu_seconds_total 0.7
`;

describe('the counter of CPU time', () => {
  test('of the machine comes before that of its exporter, and idling is no work', () => {
    expect(cpuSeries(parseSeries(NODE_EXPORTER), null)).toEqual([
      'node_cpu_seconds_total{cpu="0",mode="user"}',
      'node_cpu_seconds_total{cpu="0",mode="system"}',
    ]);
  });

  test('can be named, with or without labels', () => {
    expect(cpuSeries(parseSeries(NODE_EXPORTER), 'process_cpu_seconds_total')).toEqual(['process_cpu_seconds_total']);
    const series = parseSeries('cpu{process="icman"} 1\ncpu{process="other"} 2\n');
    expect(cpuSeries(series, 'cpu{process="icman"}')).toEqual(['cpu{process="icman"}']);
    expect(cpuSeries(series, 'cpu')).toHaveLength(2);
  });

  test('of nothing is none', async () => {
    expect(await ServerMetrics.open(async () => 'up 1\n', null)).toBeNull();
  });
});

test('the cost of a scenario is the growth over its parts, with its TLS counters', async () => {
  let cpu = 10;
  let hits = 5;
  const metrics = await ServerMetrics.open(
    async () => `process_cpu_seconds_total ${cpu}\nicm_ssl_session_cache_hits ${hits}\nssl_certificate_days 90\n`,
    null,
  );
  for (let part = 0; part < 2; part++) {
    await metrics?.began();
    cpu += 0.5;
    hits += 20;
    await metrics?.ended('https-new-resumed');
    cpu += 100;
  }
  const cost = metrics?.costOf('https-new-resumed');
  expect(cost?.cpu).toBeCloseTo(1);
  expect(cost?.tls).toEqual({ icm_ssl_session_cache_hits: 40 });
});

test('a reading that fails is counted, and its part has no cost', async () => {
  let isUp = true;
  const metrics = await ServerMetrics.open(async () => {
    if (!isUp) throw new Error('gone');
    return 'process_cpu_seconds_total 1\n';
  }, null);
  await metrics?.began();
  isUp = false;
  await metrics?.ended('http-reused');
  expect([metrics?.failed, metrics?.costOf('http-reused')]).toEqual([1, null]);
});

test('a counter that began anew is no cost', async () => {
  let cpu = 10;
  const metrics = await ServerMetrics.open(async () => `process_cpu_seconds_total ${cpu}\n`, null);
  await metrics?.began();
  cpu = 1;
  await metrics?.ended('http-reused');
  expect(metrics?.costOf('http-reused')).toBeNull();
});
