import { describe, expect, test } from 'vitest';
import { toBatchColumns } from '../../../collector/ingest/decode/decode-batch.ts';
import { createLongLivedMarks } from '../../../collector/ingest/long-lived/long-lived-marks.ts';
import { isLongLived } from '../../../collector/ingest/long-lived/long-lived-rule.ts';
import type { Sample } from '../../../shared/sample/sample.ts';
import { TEXT_INDEX } from '../../../shared/sample/sample-columns.ts';
import { makeSample } from '../summary/make-sample.ts';

const of = (length: number, time: (index: number) => number) => Array.from({ length }, (_, index) => time(index));

describe('a path is long-lived', () => {
  test.each([
    ['if half of its requests last over 10 s', of(40, (i) => (i < 21 ? 10_001 + 900 * i : 300)), true],
    ['not if fewer do', of(40, (i) => (i < 20 ? 10_001 + 900 * i : 300)), false],
    ['if half of them agree on 5 s or more', of(40, (i) => (i % 2 === 0 ? 6000 + i : 80 + i)), true],
    ['not if they agree on less', of(40, () => 4900), false],
    ['not if they last for 5 s, each as it likes', of(40, (i) => 5000 + 120 * i), false],
    ['not if a time-out hits some of them', of(40, (i) => (i % 4 === 0 ? 30_000 : 120)), false],
    ['not before there are 10', of(9, () => 30_000), false],
    ['not if they did more than wait or receive', of(40, () => 0), false],
  ])('%s', (_, times, expected) => {
    expect(isLongLived(times)).toBe(expected);
  });

  test('and stays so while a quarter of its requests last for 5 s', () => {
    expect(
      isLongLived(
        of(40, (i) => (i < 10 ? 30_000 : 200)),
        true,
      ),
    ).toBe(true);
    expect(
      isLongLived(
        of(40, (i) => (i < 9 ? 30_000 : 200)),
        true,
      ),
    ).toBe(false);
  });
});

const POLL: Partial<Sample> = { type: 'fetch', template: '/poll', connection: 'reused' };
const SECONDS_30 = 30_000_000;

function lasting(time: number, more: Partial<Sample> = {}): Sample {
  const times = { wait: time - 2000, receive: 2000, ttfb: time - 2000, ttlb: time };
  return makeSample({ ...POLL, times, ...more });
}

function typesOf(mark: ReturnType<typeof createLongLivedMarks>, samples: readonly Sample[]): (string | undefined)[] {
  const { texts, n } = mark(toBatchColumns(samples));
  const type = texts[TEXT_INDEX.type];
  return of(n, (row) => row).map((row) => type?.strings[type.codes[row] as number]);
}

/** After three browsers have polled. */
function experienced(maxPaths?: number) {
  const mark = createLongLivedMarks(maxPaths);
  for (let browser = 0; browser < 3; browser++)
    mark(toBatchColumns(of(8, () => SECONDS_30).map((time) => lasting(time))));
  return mark;
}

describe('marks', () => {
  test('every request of the path, also the short, the failed and those of later batches', () => {
    expect(
      typesOf(experienced(), [
        lasting(SECONDS_30),
        lasting(40_000),
        lasting(40_000, { excluded: 'failed', connection: 'failed' }),
        lasting(40_000, { template: '/orders' }),
        lasting(40_000, { host: 'other.example.com' }),
      ]),
    ).toEqual(['long_lived', 'long_lived', 'long_lived', 'fetch', 'fetch']);
  });

  test('no batch of a single browser decides', () => {
    expect(
      typesOf(
        createLongLivedMarks(),
        of(200, () => SECONDS_30).map((time) => lasting(time)),
      ),
    ).not.toContain('long_lived');
  });

  test('pages and images that take long are waited for, and probes are judged by themselves', () => {
    const mark = experienced();
    const others: Partial<Sample>[] = [{ type: 'document' }, { type: 'image' }, { source: 'probe-script' }];
    for (const more of others) {
      for (let batch = 0; batch < 10; batch++) {
        expect(typesOf(mark, [lasting(SECONDS_30, more)])).toEqual([more.type ?? 'fetch']);
      }
    }
  });

  test('requests whose phases are unknown do not decide', () => {
    const mark = createLongLivedMarks();
    const hidden = { unknown: { wait: 'queued', receive: 'queued', ttfb: 'queued' } } as const;
    for (let batch = 0; batch < 30; batch++) {
      const times = { wait: null, receive: null, ttfb: null, ttlb: SECONDS_30 };
      mark(toBatchColumns([makeSample({ ...POLL, times, ...hidden })]));
    }
    expect(typesOf(mark, [lasting(SECONDS_30)])).toEqual(['fetch']);
  });

  test('columns without such a path stay the same object', () => {
    const columns = toBatchColumns([lasting(40_000), lasting(50_000)]);
    expect(createLongLivedMarks()(columns)).toBe(columns);
  });

  test('a known path survives more paths than can be watched', () => {
    const mark = experienced(4);
    for (let index = 0; index < 50; index++) mark(toBatchColumns([lasting(6_000_000, { template: `/once/${index}` })]));
    expect(typesOf(mark, [lasting(SECONDS_30)])).toEqual(['long_lived']);
  });

  test('a path that answers at once from now on is an ordinary one again', () => {
    const mark = experienced();
    for (let batch = 0; batch < 8; batch++) mark(toBatchColumns(of(8, () => 40_000).map((time) => lasting(time))));
    expect(typesOf(mark, [lasting(40_000)])).toEqual(['fetch']);
  });
});
