import { expect, test } from 'vitest';
import { prometheusText } from '../../../collector/monitoring/metrics/prometheus-text.ts';

test('writes counters, escapes what breaks a label, and leaves out families without series', () => {
  const text = prometheusText([
    {
      name: 'a_total',
      help: 'One\nline \\ here.',
      type: 'counter',
      unit: '1',
      series: [{ labels: { host: 'a"b\\c\nd' }, value: 3 }],
    },
    { name: 'empty', help: 'Nothing.', type: 'gauge', unit: '1', series: [] },
  ]);
  expect(text).toBe('# HELP a_total One\\nline \\\\ here.\n# TYPE a_total counter\na_total{host="a\\"b\\\\c\\nd"} 3\n');
});

test('buckets of a histogram add up, and the last is every value', () => {
  const text = prometheusText([
    {
      name: 'wait_seconds',
      help: 'h',
      type: 'histogram',
      unit: 's',
      series: [{ labels: { host: 'a' }, counts: [2, 0, 5], bounds: [0.001, 0.002], sum: 1.5 }],
    },
  ]);
  expect(text.split('\n').slice(2)).toEqual([
    'wait_seconds_bucket{host="a",le="0.001"} 2',
    'wait_seconds_bucket{host="a",le="0.002"} 2',
    'wait_seconds_bucket{host="a",le="+Inf"} 7',
    'wait_seconds_sum{host="a"} 1.5',
    'wait_seconds_count{host="a"} 7',
    '',
  ]);
});
