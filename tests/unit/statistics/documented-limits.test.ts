import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DEFAULT_BASELINES } from '../../../collector/analysis/summary/overhead.ts';
import { MIN_LEAD, MIN_LEADING_SHARE } from '../../../collector/analysis/summary/verdict.ts';
import { VIEWS } from '../../../collector/analysis/tables/table-document.ts';
import { MIN_RELATIVE_CHANGE } from '../../../shared/statistics/change.ts';
import {
  MAX_INTERVAL_WIDTH,
  MAX_QUARTILE_SPREAD,
  MIN_BROWSERS,
  MIN_SAMPLES,
} from '../../../shared/statistics/keep-measuring.ts';
import { BINS_PER_OCTAVE } from '../../../shared/statistics/log-histogram.ts';
import { MIN_INTERVAL_N } from '../../../shared/statistics/median-interval.ts';
import { MIN_PEAK_SHARE, MIN_PEAKS_N, MIN_RISE } from '../../../shared/statistics/peaks.ts';
import { MAX_SKETCH_VALUE, SKETCH_BOUND } from '../../../shared/statistics/sketch-buckets.ts';
import { FAR_FENCE, MAX_SLOW_SHARE, MIN_SLOW_SHARE } from '../../../shared/statistics/slow-threshold.ts';

/** One line, so that a sentence is found wherever it breaks. */
const DOCS = readFileSync(new URL('../../../docs/statistics.md', import.meta.url), 'utf8').replace(/\s+/g, ' ');

test.each([
  ['few samples', `n < ${MIN_SAMPLES} |`],
  ['few browsers', `fewer than ${MIN_BROWSERS} browsers;`],
  ['times vary widely', `(p75 − p25) / median > ${MAX_QUARTILE_SPREAD}.`],
  ['wide interval', `wider than ${100 * MAX_INTERVAL_WIDTH} % of it`],
  ['interval of a median', `Below n = ${MIN_INTERVAL_N} even`],
  ['sketch bound', `**${(100 * SKETCH_BOUND).toFixed(2)} %**`],
  ['longest value', MAX_SKETCH_VALUE === 2 ** 37 ? 'up to 2³⁷ µs' : 'another limit'],
  ['peaks from', `from n = ${MIN_PEAKS_N} on`],
  ['peaks, height', `rise at least ${MIN_RISE} standard errors of the counts`],
  ['peaks, share', `hold at least ${100 * MIN_PEAK_SHARE} % of the samples`],
  ['slow group, share', `with ${100 * MIN_SLOW_SHARE} to ${100 * MAX_SLOW_SHARE} % of the samples beyond`],
  ['slow group, fence', `Q3 + ${FAR_FENCE}·IQR of ln x`],
  ['comparison', `fewer than ${MIN_SAMPLES} requests or ${MIN_BROWSERS} browsers on either side`],
  ['change, size', `at least ${100 * MIN_RELATIVE_CHANGE} % of the earlier median`],
  ['verdict', `at least ${100 * MIN_LEADING_SHARE} % of mean \`ttlb\` and at least ${MIN_LEAD} times the second`],
  ['histogram', BINS_PER_OCTAVE === 4 ? 'four bins per octave' : 'another width'],
  ['baseline', `\`${DEFAULT_BASELINES['https-reused']}\` for \`https-reused\``],
])('the page states the limit in force: %s', (_name, sentence) => {
  expect(DOCS).toContain(sentence);
});

test('every view is described', () => {
  for (const view of VIEWS) expect(DOCS).toContain(`| \`${view}\` |`);
});
