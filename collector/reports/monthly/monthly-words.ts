import type { Language } from '../../analysis/text/language.ts';
import type { PeriodChange } from '../../questions/monthly.ts';
import type { Accounting } from '../accounting.ts';
import type { Fix } from './fixes.ts';
import type { MonthlyData } from './monthly-data.ts';
import { MONTHLY_ENGLISH } from './monthly-english.ts';
import { MONTHLY_GERMAN } from './monthly-german.ts';

/** Everything the monthly report says in words. Times come as milliseconds, unrounded. */
export interface MonthlyWords {
  readonly title: string;
  /** Whose requests they are, where probes are left away. */
  readonly users: string;
  readonly forManagement: string;
  readonly forEngineers: string;
  readonly howMany: (browsers: number | null, requests: number, pageViews: number, usable: number) => string;
  readonly tooFewToShow: string;
  readonly figures: {
    readonly browsers: string;
    readonly browsersNote: (requests: number) => string;
    readonly pageViews: string;
    readonly pageViewsNote: string;
    readonly median: string;
    readonly medianNote: (interval: readonly [number, number] | null) => string;
    readonly average: string;
    readonly averageNote: (p95: number) => string;
    readonly tls: (per: Accounting['per']) => string;
    readonly tlsNote: (per: Accounting['per'], https: number) => string;
    readonly change: string;
    readonly changeNone: string;
    readonly changeExpired: string;
    readonly changeNote: (change: PeriodChange) => string;
  };
  readonly ms: (value: number) => string;
  readonly signedMs: (value: number) => string;
  readonly wait: (median: number, average: number, first: Accounting['first']) => string;
  readonly tlsPerRequest: (mean: number, median: number) => string;
  readonly tlsPerConnection: (mean: number, median: number, share: number) => string;
  readonly noTls: string;
  readonly mergedTls: string;
  readonly changed: (change: PeriodChange, means: readonly [before: number, after: number]) => string;
  readonly notMeasuredBefore: string;
  readonly fixesTitle: string;
  readonly fixesLead: (pageViews: number) => string;
  readonly fix: (fix: Fix, perPageView: number | null) => string;
  readonly noFixes: string;
  readonly trendTitle: string;
  readonly trendNote: string;
  readonly averageTitle: string;
  readonly averageChartNote: string;
  readonly gapTitle: string;
  readonly gapNote: string;
  readonly phasesTitle: string;
  readonly phasesNote: string;
  readonly tables: {
    readonly groups: string;
    readonly hosts: string;
    readonly scenarios: string;
    readonly fixes: string;
    readonly periods: string;
    readonly days: string;
  };
  readonly columns: {
    readonly added: string;
    readonly ratio: string;
    readonly baseline: string;
    readonly what: string;
    readonly saved: string;
    readonly share: string;
    readonly nBefore: string;
    readonly nAfter: string;
    readonly medianBefore: string;
    readonly medianAfter: string;
    readonly meanBefore: string;
    readonly meanAfter: string;
    readonly difference: string;
    readonly apart: string;
    readonly day: string;
  };
  readonly yes: string;
  readonly no: string;
  readonly all: string;
  readonly fixKinds: Readonly<Record<Fix['kind'], string>>;
  readonly scenarioNote: string;
  readonly fixesNote: string;
  readonly periodsNote: string;
  readonly accounting: (accounting: Accounting, zone: string, outliers: number | null) => string[];
  /** What the numbers come from, where that is a choice of the accounting. */
  readonly answeredFrom: (data: MonthlyData) => string[];
  readonly beforeExpired: string;
  readonly beforeHash: (hash: string) => string;
}

export function monthlyWordsOf(language: Language): MonthlyWords {
  return language === 'de' ? MONTHLY_GERMAN : MONTHLY_ENGLISH;
}
