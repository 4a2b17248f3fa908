import { expect, test } from 'vitest';
import { afterAttempt, findDue, isDue, lastDue, nextDue, toRun } from '../../../collector/reports/schedule/find-due.ts';
import type { ReportMemory } from '../../../collector/reports/schedule/report-memory.ts';
import { scheduledRequest } from '../../../collector/reports/schedule/scheduled-request.ts';

const HOUR = 3_600_000;
const at = (text: string) => Date.parse(text);
const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString());
const DAILY = { id: 'daily', cron: '0 6 * * *', folder: 'out' };
const EMPTY: ReportMemory = { handled: {}, runs: [] };

test('a timetable is read on the clock of its zone, through its changes', () => {
  const berlin = { cron: '30 6 * * *', zone: 'Europe/Berlin' };
  expect(iso(nextDue(berlin, at('2026-03-28T06:00:00Z')))).toBe('2026-03-29T04:30:00.000Z');
  expect(iso(lastDue(berlin, at('2026-03-29T04:29:59Z')))).toBe('2026-03-28T05:30:00.000Z');
  expect(iso(lastDue(berlin, at('2026-03-29T04:30:00Z')))).toBe('2026-03-29T04:30:00.000Z');
});

test('a new report waits for its first time, and is then due once', () => {
  const first = findDue(EMPTY, [DAILY], at('2026-03-10T12:00:00Z'));
  expect(first.runs).toEqual([]);
  const early = findDue(first, [DAILY], at('2026-03-11T05:59:59Z'));
  expect(early.runs).toEqual([]);
  const due = findDue(early, [DAILY], at('2026-03-11T06:00:05Z'));
  expect(due.runs.map((run) => iso(run.due))).toEqual(['2026-03-11T06:00:00.000Z']);
  expect(findDue(due, [DAILY], at('2026-03-11T06:00:20Z')).runs).toHaveLength(1);
});

test('what was missed while nothing ran is made once, for the last time it was due', () => {
  const before = findDue(EMPTY, [DAILY], at('2026-03-10T12:00:00Z'));
  const back = findDue(before, [DAILY], at('2026-03-20T09:00:00Z'));
  expect(back.runs.map((run) => iso(run.due))).toEqual(['2026-03-20T06:00:00.000Z']);
});

test('another timetable begins anew, and a clock turned back makes nothing twice', () => {
  const before = findDue(EMPTY, [DAILY], at('2026-03-10T12:00:00Z'));
  const changed = findDue(before, [{ ...DAILY, cron: '0 7 * * *' }], at('2026-03-11T12:00:00Z'));
  expect(changed.runs).toEqual([]);
  const due = findDue(before, [DAILY], at('2026-03-11T06:00:05Z'));
  const back = findDue(due, [DAILY], at('2026-03-11T05:00:00Z'));
  expect(findDue(back, [DAILY], at('2026-03-11T06:00:10Z')).runs).toHaveLength(1);
});

test('what a clock noted that ran ahead by months keeps no report back once it is right', () => {
  const ahead = findDue(EMPTY, [DAILY], at('2027-04-10T12:00:00Z'));
  const right = findDue(ahead, [DAILY], at('2026-03-10T12:00:00Z'));
  expect(right.runs).toEqual([]);
  const due = findDue(right, [DAILY], at('2026-03-11T06:00:05Z'));
  expect(due.runs.map((run) => iso(run.due))).toEqual(['2026-03-11T06:00:00.000Z']);
  const waiting = { ...toRun('daily', 0, 0), nextAt: at('2027-04-10T12:00:00Z') };
  expect([isDue(waiting, at('2026-03-11T06:00:00Z')), isDue(waiting, at('2027-04-10T11:59:59Z'))]).toEqual([
    true,
    false,
  ]);
});

test('an attempt that failed is made again later and later, what has arrived is not sent again, and after days it is given up', () => {
  const failed = { done: ['folder' as const], errors: { mail: 'ECONNREFUSED' }, files: ['a.pdf'] };
  let run = toRun('daily', 0, 0);
  const waits: number[] = [];
  let now = 0;
  while (run.nextAt !== null) {
    run = afterAttempt(run, failed, now);
    if (run.nextAt !== null) waits.push(run.nextAt - now);
    now = run.nextAt ?? now;
  }
  expect(waits.slice(0, 4)).toEqual([60_000, 120_000, 240_000, 480_000]);
  expect(Math.max(...waits)).toBe(6 * HOUR);
  expect(run).toMatchObject({ state: 'failed', done: ['folder'], errors: { mail: 'ECONNREFUSED' } });
  expect(now).toBeGreaterThanOrEqual(72 * HOUR);
  const done = afterAttempt(toRun('daily', 0, 0), { done: ['mail'], errors: {}, files: [] }, 5);
  expect(done).toMatchObject({ state: 'done', nextAt: null, endedAt: 5, done: ['mail'] });
});

test('a scheduled report is about the last whole month, week or day of its zone', () => {
  const range = (period: 'month' | 'week' | 'day') => {
    const report = { ...DAILY, period, zone: 'Europe/Berlin', view: 'summary' as const };
    const { query } = scheduledRequest(report, at('2026-04-01T04:00:00Z'), 'pdf');
    const { from, to } = query.range;
    return [iso(from), iso(to)];
  };
  expect(range('month')).toEqual(['2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z']);
  expect(range('week')).toEqual(['2026-03-22T23:00:00.000Z', '2026-03-29T22:00:00.000Z']);
  expect(range('day')).toEqual(['2026-03-30T22:00:00.000Z', '2026-03-31T22:00:00.000Z']);
});
