import type { KeepMeasuringReason } from '../../../shared/statistics/keep-measuring.ts';
import type { VerdictWord } from '../../analysis/summary/summary-document.ts';
import { ENGLISH_HTTPS_COST } from '../../analysis/text/english-https-cost.ts';
import { ENGLISH_SLOW_GROUP } from '../../analysis/text/english-slow-group.ts';
import { ENGLISH_TABLES } from '../../analysis/text/english-tables.ts';
import { MONTHLY_ENGLISH } from './monthly-english.ts';

const { count } = ENGLISH_TABLES.numbers;

/** Everything that a report says, in English; `GERMAN_REPORT` has the same keys. */
export const ENGLISH_REPORT = {
  ...ENGLISH_TABLES,
  monthly: MONTHLY_ENGLISH,
  slowGroup: ENGLISH_SLOW_GROUP,
  httpsCost: ENGLISH_HTTPS_COST,

  nothing: 'Nothing to show.',
  /** What is missing, and what the reader can do about it. */
  empty: {
    requests: [
      'Nothing was measured in this range.',
      'There are no samples between these times that pass these filters. Choose another range with --from and --to (from and to over HTTP), or fewer filters.',
    ],
    probes: [
      'No probe ran in this range.',
      'There are no samples of probes between these times that pass these filters. Choose another range with --from and --to (from and to over HTTP), or fewer filters; probes are set up in the settings (docs/probes.md).',
    ],
  },
  sections: { figures: 'In short', tables: 'Tables', notes: 'Notes', method: 'Method' },
  moreRows: (left: number) =>
    `${count(left)} more ${left === 1 ? 'row is' : 'rows are'} not shown here; the formats csv and json have all of them.`,
  madeAt: (time: string) => `Created at ${time}.`,
  pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
  date: (year: string, month: string, day: string) => `${year}-${month}-${day}`,
  days: (from: string, to: string, zone: string) => `${from === to ? from : `${from} to ${to}`} (${zone})`,
  period: (from: string, to: string, zone: string) => `${from} to ${to} (${zone}, end excluded)`,
  only: (filters: string) => `Only ${filters}`,
  /** Before a filter that excludes. */
  without: 'without',
  csv: { separator: ',', decimal: '.' },

  /** How the numbers were computed. */
  method: {
    rules: 'What counts, and what does not:',
    range: 'Range',
    before: 'Compared with',
    filters: 'Filters',
    noFilters: 'none',
    samples: 'Requests seen',
    leftOut: 'Left out of the times',
    nothingLeftOut: 'nothing',
    precision: 'Precision',
    versions: 'Created by',
    madeBy: (lastbyte: string | number, wire: string | number, settings: string | number) =>
      `Lastbyte ${lastbyte}, wire ${wire}, settings revision ${settings}`,
    data: 'Data',
    hash: (hash: string) => `SHA-256 ${hash}`,
    command: 'To reproduce it',
    folded: 'Too few browsers',
    accounting: 'Accounting method',
    exact: 'Exact: every value was read.',
    sketched: (bound: string) =>
      `Medians and percentiles come from sketches, each within ${bound} of the exact value; counts and averages are exact.`,
  },

  /** Headings and words of tables of groups. */
  summary: {
    title: 'Summary: how long users wait, group by group',
    groups: 'Groups',
    requests: 'Requests',
    browsers: 'Browsers',
    median: 'Median',
    average: 'Average',
    p95: 'p95',
    newShare: 'New conn.',
    setup: { request: 'Set-up per request', connection: 'Set-up per conn.' },
    tls: { request: 'TLS per request', connection: 'TLS per conn.' },
    wait: { median: 'Wait, median', average: 'Wait, average' },
    verdict: 'Verdict',
    doubt: 'Keep measuring',
    perNote: {
      request: 'Per request: over all network requests, a reused connection counting as 0; the average.',
      connection: 'Per connection: over new connections only, what one costs when it is made.',
    },
    doubtNote:
      'New conn.: share of the requests that pay for a new connection. Keep measuring: few: fewer than 30 requests; browsers: fewer than 5 of them; interval: the median is not known to within 10 %.',
    fewNote: (groups: number, minN: number) =>
      `${groups} ${groups === 1 ? 'group has' : 'groups have'} fewer than ${minN} requests: too few to draw conclusions from, so only their count is shown.`,
    tooFew: (minN: number) => `fewer than ${minN}`,
    twoVerdicts: (typical: string, average: string) => `${typical} (typical), ${average} (average)`,
    verdicts: {
      tls: 'TLS',
      network: 'network',
      server: 'server',
      download: 'download',
      client: 'browser',
      unknown: 'unknown',
    } as Readonly<Record<VerdictWord, string>>,
    doubts: { few_samples: 'few', few_browsers: 'browsers', wide_interval: 'interval' } as Readonly<
      Record<KeepMeasuringReason, string>
    >,
  },

  /** The text around the numbers of a comparison. */
  compare: {
    title: (time: string) => `Before and after: ${time}`,
    subtitle: (before: string, after: string) => `Before: ${before}. After: ${after}`,
    table: 'Before and after',
    columns: {
      group: 'Group',
      nBefore: 'Requests before',
      nAfter: 'Requests after',
      before: 'Median before',
      after: 'Median after',
      difference: 'Difference',
      low: 'At least',
      high: 'At most',
      meanBefore: 'Average before',
      meanAfter: 'Average after',
      changed: 'Certain change',
    },
    outcomes: {
      no: 'no',
      slower: 'yes, slower',
      faster: 'yes, faster',
      not_measured: 'not measured',
      few_samples: 'too few requests',
      few_browsers: 'too few browsers',
    },
    note: 'At least, at most: the difference of the medians, with 95 % certainty.',
    how: 'A change counts if a bootstrap over browsers distinguishes it from chance at 95 %, and if it is at least 5 % and at least the browsers’ clock step. Nothing is compared with fewer than 30 requests or 5 browsers on either side.',
    leftOut: (groups: number) => `${groups} smaller ${groups === 1 ? 'group is' : 'groups are'} left out.`,
    beforeHash: (hash: string) => `Data of the earlier side: SHA-256 ${hash}.`,
  },
};

export type ReportTexts = typeof ENGLISH_REPORT;
