import type { Failure } from '../../analysis/probes/journey-results.ts';
import { evidenceTexts, failureText, probeReasonText } from '../../analysis/text/probe-reasons.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import { formatCount } from '../text/format.ts';
import { PROBES } from '../text/probes.ts';
import { t } from '../text/t.ts';

export function methodLabels(methods: readonly string[]): string {
  return methods.map((method) => wordFor(PROBES.methods, method)).join(', ');
}

const texts = { ...PROBES, exclusions: t.exclusions };

export function reasonWords(reason: string): string {
  return probeReasonText(reason, texts);
}

/** At which step a run failed and why, and in a sentence of its own what the page had; empty if that is not known. */
export function failureWords(failure: Failure): { readonly why: string; readonly evidence: string } {
  const known = failure.broke === null ? [] : evidenceTexts(failure.broke, PROBES.probeReasons);
  const evidence = known.length === 0 ? '' : `${known.join('; ')}.`.replace(/^./, (first) => first.toUpperCase());
  return { why: failureText(failure, texts), evidence };
}

/** `2 × an existing connection was used, 1 × status 500`, most frequent first. */
export function countedReasons(reasons: Readonly<Record<string, number>>): string {
  return Object.entries(reasons)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${formatCount(count)} × ${reasonWords(reason)}`)
    .join(', ');
}
