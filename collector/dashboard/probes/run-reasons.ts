import { wordFor } from '../../analysis/text/word-for.ts';
import { formatCount } from '../text/format.ts';
import { PROBES } from '../text/probes.ts';
import { t } from '../text/t.ts';

export function methodLabels(methods: readonly string[]): string {
  return methods.map((method) => wordFor(PROBES.methods, method)).join(', ');
}

/** Text for the reason of a run or step; the browser's own error codes are not translated. */
export function reasonWords(reason: string): string {
  if (reason.startsWith('error:')) return reason.slice('error:'.length);
  if (reason.startsWith('status_')) return PROBES.status(reason.slice('status_'.length));
  const lower = reason.toLowerCase();
  const own = wordFor(PROBES.reasons, lower);
  if (own !== lower) return own;
  const excluded = wordFor(t.exclusions, lower);
  return excluded === lower ? reason : excluded;
}

/** `2 × an existing connection was used, 1 × status 500`, most frequent first. */
export function countedReasons(reasons: Readonly<Record<string, number>>): string {
  return Object.entries(reasons)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${formatCount(count)} × ${reasonWords(reason)}`)
    .join(', ');
}
