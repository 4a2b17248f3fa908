import { expect, test } from 'vitest';
import { selectSamples } from '../../../collector/report/monthly/select-samples.ts';
import { StoreError } from '../../../collector/store/store-error.ts';

const RANGE = { from: 0, to: 1000 };
type Arguments = Parameters<typeof selectSamples>;

/** A store of 40 million samples, a million of them of one target. */
function select(filters: object): ReturnType<typeof selectSamples> {
  const samples = {
    aggregate: async (query: { filters: object }) => ({
      cells: [{ samples: 'target' in query.filters ? 1_000_000 : 40_000_000 }],
    }),
    async *scan() {},
  };
  const query = { range: RANGE, filters, accounting: { hours: null, outliers: { rule: 'cap', ms: 2000 } } };
  // Only what is asked of them here.
  return selectSamples(
    { store: { samples } } as unknown as Arguments[0],
    query as unknown as Arguments[1],
    RANGE,
    'UTC',
  );
}

test('more than a million samples are refused with what would help, and what filters leave is what counts', async () => {
  const refused: unknown = await select({})
    .next()
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StoreError);
  expect(refused).toMatchObject({
    code: 'too_many_samples',
    message: expect.stringContaining('40000000'),
    hint: expect.stringContaining('by filters, for fewer requests: at most 1000000'),
  });
  expect(await select({ target: ['erp'] }).next()).toMatchObject({ done: true });
});
