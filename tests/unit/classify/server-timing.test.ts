import { expect, it } from 'vitest';
import { readServerTiming, tlsHandshakeToldByServer } from '../../../shared/timing/server-timing.ts';

const metric = (name: string, duration: number, description = '') => ({ name, duration, description });

it('keeps allow-listed metrics by name, and only these', () => {
  const entries = [metric('cpu', 12.5), metric('user', 0, 'jane'), metric('db', 7), metric('__proto__', 1)];
  const { metrics, serverTime } = readServerTiming(entries, ['CPU', 'user', 'missing', '__proto__']);
  expect(Object.entries(metrics)).toEqual([
    ['CPU', 12.5],
    ['__proto__', 1],
  ]);
  expect(serverTime).toBeNull();
});

it('reads the server time in microseconds, the best name first', () => {
  expect(readServerTiming([metric('origin', 80), metric('Total', 90.5)], []).serverTime).toBe(90_500);
  expect(readServerTiming([metric('origin', 80)], []).serverTime).toBe(80_000);
});

it('takes 0 for not said, unless the description says 0', () => {
  expect(readServerTiming([metric('total', 0)], []).serverTime).toBeNull();
  expect(readServerTiming([metric('threads', 0, '0')], ['threads']).metrics).toEqual({ threads: 0 });
  expect(readServerTiming([metric('a', Number.NaN), metric('b', -1)], ['a', 'b']).metrics).toEqual({});
});

it('counts the first of two with one name, and at most 32', () => {
  const many = Array.from({ length: 40 }, (_, index) => metric(`m${index}`, index + 1));
  expect(readServerTiming([metric('db', 1), metric('db', 2)], ['db']).metrics).toEqual({ db: 1 });
  expect(
    Object.keys(
      readServerTiming(
        many,
        many.map((entry) => entry.name),
      ).metrics,
    ),
  ).toHaveLength(32);
});

it('takes the first tls metric that says resumed or full', () => {
  const told = tlsHandshakeToldByServer;
  expect(told([metric('tls', 3), metric('tls', 0, 'resumed')])).toBe('resumed');
  expect(told([metric('tls', 3, 'TLSv1.3'), metric('TLS', 0, ' Full '), metric('tls', 0, 'r')])).toBe('full');
  expect(told([metric('tls', 3), metric('tls2', 0, 'resumed'), metric('tls', 0, 'toString')])).toBeNull();
  expect(told([])).toBeNull();
});
