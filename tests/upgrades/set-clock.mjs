// @ts-check
/**
 * Loaded with `--import` before a command: its clock, its threads' too, is LASTBYTE_TEST_CLOCK_AHEAD_MS ahead of the machine's.
 * Retention, reports and alerts count from now, so a recorded folder would otherwise be a different one every day.
 * While a folder is recorded, LASTBYTE_TEST_CLOCK_RATE lets the monotonic clock run faster, for what is due every hour.
 */
const RealDate = Date;
const realNow = Date.now;
const aheadMs = Number(process.env.LASTBYTE_TEST_CLOCK_AHEAD_MS);
if (!Number.isFinite(aheadMs)) throw new Error('LASTBYTE_TEST_CLOCK_AHEAD_MS has to be a number');
const now = () => realNow() + aheadMs;
Date.now = now;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
});
const monotonic = performance.now.bind(performance);
const rate = Number(process.env.LASTBYTE_TEST_CLOCK_RATE ?? 1);
performance.now = () => monotonic() * rate;
