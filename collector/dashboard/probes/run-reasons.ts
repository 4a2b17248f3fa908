import { probeReasonText } from '../../analysis/text/probe-reasons.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import { formatCount } from '../text/format.ts';
import { PROBES } from '../text/probes.ts';
import { t } from '../text/t.ts';

export function methodLabels(methods: readonly string[]): string {
  return methods.map((method) => wordFor(PROBES.methods, method)).join(', ');
}

export function reasonWords(reason: string): string {
  return probeReasonText(reason, { ...PROBES, exclusions: t.exclusions });
}

/** `2 × an existing connection was used, 1 × status 500`, most frequent first. */
export function countedReasons(reasons: Readonly<Record<string, number>>): string {
  return Object.entries(reasons)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${formatCount(count)} × ${reasonWords(reason)}`)
    .join(', ');
}
