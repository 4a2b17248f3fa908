/** A day with more samples is never thin, so that the week need not be read. */
export const MANY_SAMPLES = 10_000;
export const FEW_SAMPLES = 200;
/** Of an average day of the week. */
const SMALL_SHARE = 0.05;
const DAYS = 7;

/** @param before samples of the six days before */
export function areFirstNumbers(ofDay: number, before: number): boolean {
  return before === 0 && ofDay < FEW_SAMPLES;
}

/** Whether a day has too few samples to speak for the week that it ends. @param before samples of the six days before */
export function isThinDay(ofDay: number, before: number): boolean {
  return before > 0 && (ofDay < FEW_SAMPLES || ofDay < (SMALL_SHARE * (ofDay + before)) / DAYS);
}
