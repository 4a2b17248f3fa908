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

it.each([
  ['nanoseconds', [metric('app', 90_000_000)], null],
  ['a point in time', [metric('total', 1.7e12)], null],
  ['below 0', [metric('app', -5)], null],
  ['longer than the request', [metric('app', 90_000)], null],
  ['one that cannot be right before one that can', [metric('total', 90_000_000), metric('app', 40)], 40_000],
] as const)('%s is no server time, and is said to be refused', (_what, entries, serverTime) => {
  expect(readServerTiming(entries, [], 120_000)).toMatchObject({ serverTime, refused: serverTime === null });
});

it('refuses nothing where there is no server time, or the request may have been as long', () => {
  expect(readServerTiming([metric('db', -5), metric('cache', 1.7e12)], [], 1000).refused).toBe(false);
  // A clock that steps by a second may show a request as so much shorter.
  expect(readServerTiming([metric('app', 900)], [], 0)).toMatchObject({ serverTime: 900_000, refused: false });
  expect(readServerTiming([metric('app', 86_400_000)], [])).toMatchObject({
    serverTime: 86_400_000_000,
    refused: false,
  });
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
