import type { NotCompared } from '../../../shared/statistics/comparability.ts';
import { MIN_BROWSERS, MIN_SAMPLES } from '../../../shared/statistics/keep-measuring.ts';
import { SKETCH_BOUND } from '../../../shared/statistics/sketch-buckets.ts';
import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import { ENGLISH } from '../../analysis/text/english.ts';
import { ENGLISH_CHANGES } from '../../analysis/text/english-changes.ts';
import { numberWords } from '../../analysis/text/numbers.ts';
import type { MonthlyDocument } from '../../questions/monthly.ts';
import type { PeriodChange } from '../../questions/monthly-change.ts';
import { listPageViews, type PageViews } from '../document/page-views.ts';
import type { Accounting } from '../document/report-request.ts';

const { ms: number, difference, count, share, wholeShare, upTo, fixed } = numberWords('en');
const ms = (value: number) => `${number(value)} ms`;
const signed = (value: number) => `${difference(value)} ms`;
const many = (n: number, one: string, more = `${one}s`) => `${count(n)} ${n === 1 ? one : more}`;

/** Ids change on the first, so browsers of several months are counted in one of them. */
type Counted = Pick<SummaryCell, 'browsers' | 'browsersMonth' | 'samples' | 'evidence'>;

function who(browsers: number | null, month: string | undefined): string {
  if (browsers === null) return 'Browsers';
  if (month !== undefined) return `Browsers (${count(browsers)} ${ENGLISH.browsersOfMonth.inMonth(month)})`;
  return many(browsers, 'browser');
}

/** Everything that only the monthly report says. Takes times in milliseconds, unrounded. */
export const MONTHLY_ENGLISH = {
  title: 'End-user experience report',
  /** Replaces the filters of a report that leaves probes out. */
  users: 'users’ own requests',
  decide: 'What to decide',
  gotSlower: 'What got slower and faster',
  whereWaiting: 'Where users wait',
  /** @param month of the period before; null if that is not a month */
  since: ({ changed, difference: by }: PeriodChange, month: string | null) => {
    const before = month ?? 'the period before';
    return changed
      ? `At the median that is ${ms(Math.abs(by))} ${by > 0 ? 'longer' : 'less'} than in ${before}.`
      : `Against ${before}, nothing has changed for certain.`;
  },
  /** @param browsers null if their share is not known */
  affects: (browsers: number | null, requests: number, waiting: number) =>
    `${browsers === null ? `${wholeShare(requests)} of requests` : `${wholeShare(browsers)} of users`}, ${upTo(waiting * 100, 1)} % of all waiting.`,
  fromTo: (before: number, after: number) => `From ${ms(before)} to ${ms(after)}.`,
  notCertain: 'no certain change',
  rest: 'not divided',
  forEngineers: 'For engineers',
  howMany: ({ browsers, browsersMonth, samples }: Counted, pageViews: number) =>
    `${who(browsers, browsersMonth)} made ${many(samples, 'request')}${pageViews === 0 ? '' : ` for ${many(pageViews, 'page view')}`}.`,
  included: ({ samples, evidence: { usable } }: Counted) =>
    `${count(usable)} of ${many(samples, 'request')} are included in the times.`,
  shownViews: (views: PageViews) =>
    `Page views are documents that users saw: ${listPageViews(
      views,
      {
        network: 'over the network',
        cache: 'from the cache',
        redirect: 'after a redirect',
        worker: 'through a service worker',
        prerender: 'prerendered',
      },
      count,
    )}.`,
  /** @param interval of the median; null if nothing is certain of it */
  spread: (interval: readonly [number, number] | null, p95: number) =>
    `${interval === null ? '' : `The median is ${number(interval[0])} to ${ms(interval[1])} with 95 % certainty. `}One in twenty requests takes longer than ${ms(p95)}.`,
  tooFewToShow: 'Too few browsers are behind this report to show it to viewers: it could identify a single person.',
  ms,
  signed,
  wait: (median: number, average: number, first: Accounting['first']) =>
    first === 'median'
      ? `Half of all requests are answered, to the last byte, within ${ms(median)}. The average is ${ms(average)}.`
      : `On average a request takes ${ms(average)} to the last byte. Half of them are answered within ${ms(median)}.`,
  tlsPerRequest: (mean: number, median: number, opened: number) =>
    `Encryption (TLS) costs ${ms(mean)} per request on average and ${ms(median)} at the median${median === 0 && opened < 0.5 ? ', as most requests use an existing connection' : `; ${share(opened)} of requests open a connection`}.`,
  tlsPerConnection: (mean: number, median: number, part: number) =>
    `Encryption (TLS) costs ${ms(median)} at the median and ${ms(mean)} on average whenever a connection is opened, which is the case for ${share(part)} of requests.`,
  noTls: 'No TLS handshake was seen, so nothing can be said about what encryption costs.',
  mergedTls: 'HTTP/3 joins TCP and TLS into one handshake, so the cost of TLS alone cannot be separated.',
  changed: (change: PeriodChange, [before, after]: readonly [before: number, after: number]) =>
    `Compared with the period before, the median went from ${ms(change.before)} to ${ms(change.after)} and the average from ${ms(before)} to ${ms(after)}. ${verdict(change)}${basis(change)}`,
  notCompared: {
    not_measured: 'Nothing was measured in the period before, so there is nothing to compare with.',
    few_samples: `There are too few requests for a comparison with the period before: each needs at least ${MIN_SAMPLES}.`,
    few_browsers: `There are too few browsers for a comparison with the period before: each needs at least ${MIN_BROWSERS}.`,
  } as Readonly<Record<NotCompared, string>>,
  changes: ENGLISH_CHANGES,
  noFindings: 'Comparing requests within this period shows no single cause of noticeably longer waits.',
  findingsExpired: 'Causes can no longer be determined: individual requests are no longer kept.',
  trendTitle: 'Day by day',
  trendNote: 'Median and average of all requests, to the last byte. Days without measurements are left blank.',
  happened: 'What happened',
  averageTitle: 'What the average request is made of',
  averageNote: 'Phases per request, a reused connection counting as 0 for DNS, TCP and TLS; the line is the median.',
  gapTitle: 'Why the average is not the median',
  gapNote: 'From the median to the average: connection set-up, the slow requests, and the spread of the others.',
  phasesTitle: 'Each phase by itself',
  phasesNote: 'Upper bar: median; lower bar: average. DNS, TCP and TLS of new connections only.',
  availability: 'Availability',
  runsFrom: (moment: string) => `Runs are kept from ${moment} on.`,
  allHours: 'Business hours do not apply here.',
  tables: {
    apps: 'By app',
    sites: 'By site',
    groups: 'By host and type',
    hosts: 'By host',
    scenarios: 'By scenario',
    findings: (n: number) => `All findings (${count(n)})`,
    periods: 'This period and the one before',
    days: 'Day by day',
  },
  columns: {
    added: 'Added to baseline, median',
    ratio: 'Ratio to baseline',
    baseline: 'Baseline',
    what: 'What to do',
    found: 'Finding',
    perRequest: 'Saved per request',
    share: 'Share of total time',
    users: 'Share of users',
    against: (month: string | null) => `Against ${month ?? 'the period before'}`,
    waiting: 'Share of waiting',
    largest: 'What the time is spent on',
    nBefore: 'Requests before',
    nAfter: 'Requests now',
    medianBefore: 'Median before',
    medianAfter: 'Median now',
    meanBefore: 'Average before',
    meanAfter: 'Average now',
    difference: 'Difference',
    apart: 'Intervals apart',
    day: 'Day',
  },
  yes: 'yes',
  no: 'no',
  allHosts: 'all hosts',
  scenarioNote:
    'Added to baseline: how much longer the scenario’s last byte takes than over the same connection without TLS; empty if the two went to different hosts.',
  findingsNote:
    'Saved: compared with like requests elsewhere. Findings are looked for one after another, so that no time counts twice. Business hours and outlier rules do not apply here.',
  periodsNote: `Intervals apart: the 95 % intervals of both medians do not overlap, a cautious sign of a change; only with at least ${MIN_SAMPLES} requests and ${MIN_BROWSERS} browsers in each period.`,
  accounting: ({ first, per, hours, outliers, minN }: Accounting, zone: string, left: number | null) => [
    `The ${first} comes first.`,
    per === 'request'
      ? 'Connections are counted per request, a reused one counting as 0.'
      : 'Connections are counted per connection, new ones only.',
    hours === null ? 'All hours count.' : `Only business hours count: ${hours.text}, ${zone}.`,
    outliers.rule === 'none'
      ? 'No outliers are left out.'
      : outliers.rule === 'tukey'
        ? `Outliers beyond Tukey’s fence, p75 + 1.5 × (p75 − p25) of their host and type, are left out entirely: ${many(left ?? 0, 'request')}.`
        : `Requests longer than ${count(outliers.ms)} ms are left out entirely: ${count(left ?? 0)}.`,
    `For groups of fewer than ${count(minN)} requests, only the count is shown.`,
  ],
  withoutRollups: 'Read sample by sample, because rollups cannot exclude outliers.',
  hoursFrom: {
    rollups: 'Business hours are counted from rollups of whole hours.',
    both: 'Business hours are counted from rollups of whole hours and, where they begin or end within an hour of UTC, from samples.',
    samples: 'Business hours are counted sample by sample.',
  } as Readonly<Record<MonthlyDocument['answeredFrom'], string>>,
  exactFences: 'The fences are computed from every value.',
  sketchedFences: `The quartiles behind the fences come from sketches, each within ${fixed(SKETCH_BOUND * 100, 2)} % of the exact value.`,
  beforeExpired: 'The period before is no longer kept at the resolution needed, so there is nothing to compare with.',
  beforeHash: (hash: string) => `Data of the period before: SHA-256 ${hash}.`,
};

export type MonthlyTexts = typeof MONTHLY_ENGLISH;

function verdict({ changed, difference: by, interval }: PeriodChange): string {
  const span = `95 % certain: ${signed(interval[0])} to ${signed(interval[1])}`;
  return changed
    ? `Users wait ${ms(Math.abs(by))} ${by > 0 ? 'longer' : 'less'} (${span}).`
    : `That is no certain change, or too small to matter (${span}).`;
}

function basis({ from, because }: PeriodChange): string {
  if (because === 'chosen_browsers') return ` ${ENGLISH.change.because.chosen_browsers}`;
  if (from === 'sketch')
    return ' Requests were resampled instead of browsers, because there are too many samples or they are no longer kept: the true uncertainty is larger.';
  return because === null ? '' : ` ${ENGLISH.change.because[because]}`;
}
