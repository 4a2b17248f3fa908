/** That a standard normal value is larger (Abramowitz and Stegun 26.2.17; off by less than 7.5e-8). */
export function upperTail(z: number): number {
  if (z < 0) return 1 - upperTail(-z);
  const t = 1 / (1 + 0.231_641_9 * z);
  const series =
    t * (0.319_381_53 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
  return Math.exp((-z * z) / 2) * 0.398_942_280_4 * series;
}
