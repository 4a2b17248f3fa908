/** `npm test` has no time for some tests, which `npm run test:nightly` runs: `test.skipIf(IS_SHORT)`. */
export const IS_SHORT = process.env.LASTBYTE_TEST_NIGHTLY !== '1';

/**
 * How often a test repeats one proof: a few times in `npm test`, and in `npm run test:nightly`, which runs every file that
 * imports this again, as often as it takes to find what is rare.
 */
export function rounds(few: number, many: number): number {
  return IS_SHORT ? few : many;
}
