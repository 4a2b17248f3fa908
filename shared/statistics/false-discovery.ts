/**
 * Which of many hypotheses to reject so that at most `level` of the rejected ones are true on average. Y. Benjamini and
 * Y. Hochberg, Controlling the False Discovery Rate (1995): it holds for independent and for positively dependent tests,
 * such as those of an app and of its hosts.
 *
 * @param pValues in any order
 * @param level 0 … 1
 * @returns for each p-value, whether its hypothesis is rejected
 */
export function falseDiscovery(pValues: readonly number[], level: number): boolean[] {
  const sorted = [...pValues].sort((a, b) => a - b);
  // The largest that is small enough decides, even if a smaller one is not.
  const smallEnough = sorted.filter((p, i) => p <= ((i + 1) / sorted.length) * level);
  const largest = smallEnough.at(-1) ?? Number.NEGATIVE_INFINITY;
  return pValues.map((p) => p <= largest);
}
