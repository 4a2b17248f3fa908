import { upperTail } from './upper-tail.ts';

const Z_95 = 1.96;

/**
 * The upper tail of Student's t distribution, by its normalizing transformation; in the tail within a few percent of the true value (D. L.
 * Wallace, Bounds on normal approximations to Student's and the chi-square distributions, 1959).
 */
export function studentTail(t: number, degrees: number): number {
  const z = ((8 * degrees + 1) / (8 * degrees + 3)) * Math.sqrt(degrees * Math.log1p(t ** 2 / degrees));
  return upperTail(t < 0 ? -z : z);
}

/** Two-sided 95 % point of Student's t (Abramowitz and Stegun 26.7.5). @param degrees of freedom; fewer than 1 count as 1 */
export function studentPoint95(degrees: number): number {
  const z = Z_95;
  const n = Math.max(1, degrees);
  return z + (z ** 3 + z) / (4 * n) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * n * n);
}
