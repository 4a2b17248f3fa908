import { upperTail } from './upper-tail.ts';

/**
 * The upper tail of Student's t distribution, by its normalizing transformation; in the tail within a few percent of the true value (D. L.
 * Wallace, Bounds on normal approximations to Student's and the chi-square distributions, 1959).
 */
export function studentTail(t: number, degrees: number): number {
  const z = ((8 * degrees + 1) / (8 * degrees + 3)) * Math.sqrt(degrees * Math.log1p(t ** 2 / degrees));
  return upperTail(t < 0 ? -z : z);
}
