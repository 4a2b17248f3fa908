import { expect, test } from 'vitest';
import { replayConnections } from '../../../collector/analysis/what-if/replay-connections.ts';
import { type RowChanges, row, START, waitsOf } from './request-row.ts';

const NEW = { connection: 'new', times: { tcp: 10, tls: 10 } } as const;

function idleOf(rows: readonly (RowChanges & { after: number })[]): (number | null)[] {
  const { idle } = replayConnections(
    waitsOf(rows.map(({ after, ...changes }) => row({ protocol: 'http/1.1', at: START + after, ...changes }))),
  );
  return [...idle].map((ms) => (Number.isNaN(ms) ? null : Math.round(ms)));
}

test('the free connection that was used last is taken', () => {
  expect(
    idleOf([
      // Two at once: two connections, free after 40 and 50 ms.
      { after: 0, ...NEW, idle: Number.NaN },
      { after: 10, ...NEW, idle: Number.NaN },
      { after: 1010, idle: 960 },
      // The first one again, unused since.
      { after: 1015, idle: 965 },
      { after: 5030, ...NEW, idle: 3995 },
    ]),
  ).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 960, 975, 3995]);
});

test('a request found a free connection unless it waited until another was open or answered', () => {
  const rows = [
    { after: 0, ...NEW, times: { ...NEW.times, wait: 40 } },
    { after: 0, ...NEW, times: { ...NEW.times, wait: 70 } },
    // Both are free, and nothing is under way: blocked by the browser itself.
    { after: 1000, times: { blocked: 30, wait: 100 } },
    // The other one is free, and the first is answered while this is blocked: which of them it waited for is not known.
    { after: 1010, times: { blocked: 150 } },
    // None is free.
    { after: 1020, times: { blocked: 120 } },
  ];
  const { foundFree } = replayConnections(
    waitsOf(rows.map(({ after, ...changes }) => row({ protocol: 'http/1.1', at: START + after, ...changes }))),
  );
  expect([...foundFree]).toEqual([0, 0, 1, 0, 0]);
});

test('a request that waits for a busy connection finds one that was not idle', () => {
  expect(
    idleOf([
      { after: 0, ...NEW, idle: Number.NaN },
      { after: 10, idle: Number.NaN, times: { blocked: 30 } },
    ]),
  ).toEqual([Number.POSITIVE_INFINITY, 0]);
});

test('an answer that is not among the rows was on a connection too', () => {
  expect(
    idleOf([
      { after: 0, ...NEW, idle: Number.NaN },
      { after: 60_000, idle: 2000 },
      { after: 120_000, host: 'other.example.com', ...NEW, idle: 3000 },
    ]),
  ).toEqual([Number.POSITIVE_INFINITY, 2000, 3000]);
});

test('requests to the same host share a connection from HTTP/2 on, and each browser has its own', () => {
  expect(
    idleOf([
      { after: 0, ...NEW, protocol: 'h2', idle: Number.NaN },
      { after: 20_000, protocol: 'h2', idle: 19_960 },
      { after: 20_001, protocol: 'h2', idle: 19_961 },
      { after: 20_001, client: 'browser-1', ...NEW, idle: Number.NaN },
    ]),
  ).toEqual([null, 19_960, 19_961, Number.POSITIVE_INFINITY]);
});

test('requests that began at the same time are replayed the same in every order', () => {
  const rows = [
    { after: 0, ...NEW, idle: Number.NaN, times: { ...NEW.times, wait: 40 } },
    { after: 0, idle: Number.NaN, times: { wait: 70 } },
    { after: 55, idle: 5 },
    { after: 2000, idle: 1900 },
  ];
  const [long, short, ...rest] = rows as [RowChanges & { after: number }, RowChanges & { after: number }, ...never[]];
  const [first, second, ...later] = idleOf([long, short, ...rest]);
  expect(idleOf([short, long, ...rest])).toEqual([second, first, ...later]);
});
