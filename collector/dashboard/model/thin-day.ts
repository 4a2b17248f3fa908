/** A day with more samples is never thin, so that the week need not be read. */
export const MANY_SAMPLES = 10_000;
export const FEW_SAMPLES = 200;
/** Of an average day of the week. */
const SMALL_SHARE = 0.05;
const DAYS = 7;

/** Whether nothing was measured before this day, and little on it. */
export function areFirstNumbers(ofDay: number, ofWeek: number): boolean {
  return ofDay === ofWeek && ofDay < FEW_SAMPLES;
}

/** Whether a day has too few samples to speak for the week that it ends. */
export function isThinDay(ofDay: number, ofWeek: number): boolean {
  return ofDay < ofWeek && (ofDay < FEW_SAMPLES || ofDay < (SMALL_SHARE * ofWeek) / DAYS);
}
