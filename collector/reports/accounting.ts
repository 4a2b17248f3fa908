import { MIN_SAMPLES } from '../../shared/statistics/keep-measuring.ts';
import type { BusinessHours } from '../analysis/time/business-hours.ts';
import type { OutlierRule } from '../storage/passes/mark-outliers.ts';

/** How the monthly report counts. Whoever reads it is told all of it. */
export interface Accounting {
  /** Which of the two is said first, and what the comparison with the last period is about in words. */
  readonly first: 'median' | 'average';
  /** What a connection costs: when one is made, or spread over all requests. */
  readonly per: 'connection' | 'request';
  /** null counts all hours. */
  readonly hours: BusinessHours | null;
  readonly outliers: OutlierRule;
  /** Groups with fewer requests show their number only. */
  readonly minN: number;
}

export const DEFAULT_ACCOUNTING: Accounting = {
  first: 'median',
  per: 'request',
  hours: null,
  outliers: { rule: 'none' },
  minN: MIN_SAMPLES,
};

/** `none`, `tukey` or `cap:2000`; null where it is none of them. */
export function parseOutliers(text: string): OutlierRule | null {
  if (text === 'none' || text === 'tukey') return { rule: text };
  const [, ms] = /^cap:(\d{1,7})$/.exec(text) ?? [];
  return ms === undefined || Number(ms) === 0 ? null : { rule: 'cap', ms: Number(ms) };
}

export function outlierText(outliers: OutlierRule): string {
  return outliers.rule === 'cap' ? `cap:${outliers.ms}` : outliers.rule;
}
