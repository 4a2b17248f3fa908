import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeJson } from '../../../collector/ingest/decode/decode-json.ts';
import { PHASES, TIME_NAMES } from '../../../shared/vocabulary/time-names.ts';
import { MAX_TIME } from '../../../shared/vocabulary/wire-limits.ts';
import { encodeBatch } from '../../../shared/wire/encode-batch.ts';
import { rounds } from '../../rounds.ts';
import { arbitrarySample, BATCH_ID, NOW, ORIGIN, PLAIN_SAMPLE } from './arbitrary-sample.ts';

type Numbers = (number | null)[];
interface Batch {
  readonly n: number;
  readonly dictionaries: { readonly unknown?: readonly Readonly<Record<string, string>>[] };
  readonly columns: { readonly times: Record<string, Numbers>; readonly unknown?: Numbers };
}

const decode = (batch: unknown) => decodeJson(Buffer.from(JSON.stringify(batch)), NOW);

const values = fc.constantFrom(null, -1, 0, 0.5, 1, MAX_TIME, MAX_TIME + 1, Number.MAX_SAFE_INTEGER);
const edits = fc.oneof(
  fc.record({ what: fc.constant('set'), name: fc.constantFrom(...TIME_NAMES), by: values }),
  fc.record({ what: fc.constant('drop'), name: fc.constantFrom(...TIME_NAMES), by: fc.constant(0) }),
  // The whole around the sum of its parts, the first byte around the whole: by a microsecond each way.
  fc.record({ what: fc.constant('whole'), name: fc.constant('ttlb'), by: fc.constantFrom(-6, -1, 0, 1) }),
  fc.record({ what: fc.constant('first'), name: fc.constant('ttfb'), by: fc.constantFrom(-1, 0, 1) }),
);

const sumOfPhases = (times: Batch['columns']['times'], row: number) =>
  PHASES.reduce((sum, phase) => sum + Math.max(0, times[phase]?.[row] ?? 0), 0);

function edit(
  { columns: { times } }: Batch,
  row: number,
  { what, name, by }: { what: string; name: string; by: number | null },
) {
  const column = times[name];
  if (what === 'drop') delete times[name];
  if (column === undefined) return;
  const at = row % column.length;
  if (what === 'set') column[at] = by;
  if (what === 'whole') column[at] = Math.max(0, sumOfPhases(times, at) + (by ?? 0));
  if (what === 'first') column[at] = Math.max(0, (times.ttlb?.[at] ?? 0) + (by ?? 0));
}

/** As docs/wire-format.md says it. */
function isValid({ dictionaries, columns: { times, unknown } }: Batch, row: number): boolean {
  const reasons = dictionaries.unknown?.[unknown?.[row] ?? -1] ?? {};
  const areTimes = TIME_NAMES.every((name) => {
    const time = times[name]?.[row] ?? null;
    if (time === null) return name in reasons;
    return Number.isInteger(time) && time >= 0 && time <= MAX_TIME && !(name in reasons);
  });
  const whole = times.ttlb?.[row] ?? Infinity;
  return areTimes && sumOfPhases(times, row) <= whole && (times.ttfb?.[row] ?? 0) <= whole;
}

test('whatever times there are, the rows that break a rule are rejected, and no others', () => {
  const numRuns = rounds(1000, 3000);
  let [fine, faulty] = [0, 0];
  fc.assert(
    fc.property(
      fc.array(arbitrarySample, { minLength: 1, maxLength: 6 }),
      fc.array(fc.tuple(fc.nat(5), edits), { maxLength: 3 }),
      (samples, changes) => {
        const batch = JSON.parse(JSON.stringify(encodeBatch(ORIGIN, BATCH_ID, NOW, samples))) as Batch;
        for (const [row, change] of changes) edit(batch, row, change);
        const read = decode(batch);
        const invalid = samples.flatMap((_, row) => (isValid(batch, row) ? [] : [row]));
        expect(read.ok && read.rejected.map(({ row }) => row)).toEqual(invalid);
        if (invalid.length === 0) fine++;
        else faulty++;
      },
    ),
    { numRuns, seed: 17 },
  );
  expect(Math.min(fine, faulty)).toBeGreaterThan(numRuns / 6);
});

test('what was null in the batch before is not null in this one', () => {
  const plain = {
    ...PLAIN_SAMPLE,
    times: { ...PLAIN_SAMPLE.times, tls: null },
    unknown: { tls: 'plain_http' as const },
  };
  const batch = encodeBatch(ORIGIN, BATCH_ID, NOW, [plain, PLAIN_SAMPLE]);
  expect(decode(batch)).toMatchObject({ ok: true, rejected: [] });
  const { columns } = batch;
  const known = { ...batch, columns: { ...columns, times: { ...columns.times, tls: [1, 0] } } };
  expect(decode(known)).toMatchObject({ ok: true, rejected: [{ row: 0, code: 'reason_without_null' }] });
  const { unknown: _, ...others } = known.columns;
  expect(decode({ ...known, columns: others })).toMatchObject({ ok: true, rejected: [] });
});
