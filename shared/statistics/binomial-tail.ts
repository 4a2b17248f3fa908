/** That at least k of n happen, if each does with this probability: the binomial distribution's upper tail, within a small factor. */
export function binomialTail(k: number, n: number, probability: number): number {
  let logTerm = n * Math.log1p(-probability);
  let below = Math.exp(logTerm);
  for (let i = 1; i < k; i++) {
    logTerm += Math.log((n - i + 1) / i) + Math.log(probability) - Math.log1p(-probability);
    below += Math.exp(logTerm);
  }
  // Beyond the precision of 1 − below, the first term of the tail bounds it within a small factor.
  const first = Math.exp(logTerm + Math.log((n - k + 1) / k) + Math.log(probability) - Math.log1p(-probability));
  return Math.max(first, 1 - below);
}
