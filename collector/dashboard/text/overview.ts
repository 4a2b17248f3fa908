import { MIN_BROWSERS, MIN_SAMPLES } from '../../../shared/statistics/keep-measuring.ts';
import { numberWords } from '../../analysis/text/numbers.ts';

const { count } = numberWords('en');

function perStep(seconds: number): string {
  if (seconds < 3600) return `every ${count(seconds / 60)} min`;
  if (seconds < 86_400) return seconds === 3600 ? 'per hour' : `every ${count(seconds / 3600)} hours`;
  return seconds === 86_400 ? 'per day' : `every ${count(seconds / 86_400)} days`;
}

/** Long-lived requests, by path or by host. */
interface LeftOut {
  readonly requests: number;
  readonly names: readonly string[];
  readonly more: number;
}

export const OVERVIEW = {
  title: 'Overview',
  heading: 'What users wait for',
  findings: {
    title: 'What to improve first',
    none: 'Comparing requests within this period shows no single cause of noticeably longer waits.',
    all: (n: number) => `All ${count(n)} findings`,
    first: (n: number) => `Only the first ${count(n)}`,
    show: 'Show where',
  },
  findingHeading: (group: string | null) =>
    group === null ? 'Where users wait most' : `Where users wait most: ${group}`,
  groupsShown: (groups: number) => `${count(groups)} ${groups === 1 ? 'group' : 'groups'} shown`,
  tableTitle: (grouping: string) => `By ${grouping.toLowerCase()}`,
  tableCaption: (grouping: string) =>
    `Hosts and resource types by ${grouping.toLowerCase()}: median and average, milliseconds`,

  exportReport: 'Export report:',
  reportFormats: { html: 'web page', pdf: 'PDF', csv: 'CSV' },

  thinDay: {
    sentence: (day: number, week: number) =>
      `Only ${count(day)} ${day === 1 ? 'request' : 'requests'} in the last 24 hours, ${count(week)} in the last 7 days.`,
    showWeek: 'Show the last 7 days',
    first: (day: number) =>
      `${day === 1 ? 'This is the first request' : `These are the first ${count(day)} requests`}. Findings become reliable with more requests from more browsers.`,
    install: 'Install in more browsers',
  },
  longLived: {
    sentence: ({ requests, names, more }: LeftOut) =>
      `${count(requests)} long-lived ${requests === 1 ? 'request' : 'requests'} (${names.join(', ')}${more === 0 ? '' : ` and ${count(more)} more`}) ${requests === 1 ? 'is' : 'are'} left out of these numbers.`,
    show: 'Show them',
  },
  trend: {
    title: 'Trend',
    note: (stepSeconds: number) => `Everything in this view, time to the last byte in ms, ${perStep(stepSeconds)}.`,
    words: (steps: number) => `Median and average over time, ${count(steps)} ${steps === 1 ? 'point' : 'points'}.`,
    from: 'From',
    n: 'Requests',
  },
  group: {
    by: 'Group by',
    rows: 'Hosts and types',
    toggle: (name: string) => `Rows of ${name}`,
    size: (rows: number) => `${count(rows)} ${rows === 1 ? 'row' : 'rows'}`,
    openAll: 'Open all',
    closeAll: 'Close all',
    showAll: (rows: number) => `Show all ${count(rows)} rows`,
    leftOut: ({ cells, samples }: { readonly cells: number; readonly samples: number }) =>
      `${count(cells)} more ${cells === 1 ? 'group is' : 'groups are'} not listed: less total time, ${count(samples)} requests in all.`,
    showAllGroups: (groups: number) => `Show all ${count(groups)}`,
  },

  against: { label: 'Change from', before: 'preceding period', week: 'a week earlier', off: 'none' },
  changes: {
    cancelled: 'cancelled',
    failed: 'the comparison failed',
    tooSmall: 'the group is too small to compare',
    few_samples: `fewer than ${MIN_SAMPLES} requests, too few to compare`,
    few_browsers: `fewer than ${MIN_BROWSERS} browsers, too few to compare`,
    notBefore: 'nothing was measured before',
    notNow: 'nothing was measured in this range',
    comparing: 'comparing',
    slower: 'Slower',
    faster: 'Faster',
    none: 'No significant change',
    medians: (what: string, before: string, now: string, difference: string) =>
      `${what}: median ${before} before, ${now} ms now, ${difference} ms`,
    between: (low: string, high: string) => `between ${low} and ${high} ms (95 %)`,
  },

  columns: {
    host: { label: 'Host', tip: 'The host that served the requests' },
    type: { label: 'Type', tip: 'Resource type' },
    verdict: { label: 'Verdict', tip: 'The parts of the average time, and the largest of them' },
    waited: { label: 'Time share', tip: 'Requests × average, as a share of the total time of all requests' },
    ttlb: { label: 'To last byte', tip: 'From the start of the fetch to the last byte' },
    gap: { label: 'Gap', tip: 'Average minus median to the last byte, ms' },
    change: {
      label: 'Change',
      tip: 'Change of the median to the last byte, ms; with an arrow if it is significant',
    },
    samples: { label: 'Samples', tip: 'All samples; the bar shows the usable part' },
    reused: {
      label: 'Reused',
      tip: 'Requests on a connection that was already open; the bar shows all connection classes',
    },
    browsers: {
      label: 'Browsers',
      tip: 'Browsers behind these samples; over several months, those of the peak month',
    },
    setup: 'Set-up',
    setupConnection: {
      label: 'Set-up per connection',
      tip: 'DNS + TCP + TLS over new connections only: the cost of opening a connection',
    },
    setupRequest: {
      label: 'Set-up per request',
      tip: 'DNS + TCP + TLS over all requests; a reused connection counts as 0: the overall cost',
    },
    /** Heading of the first column: what the table is grouped by, and what the rows are. */
    first: (group: string, row: string) => `${group}, ${row.toLowerCase()}`,
    spread: 'spread',
    median: 'median',
    average: 'average',
  },
  basis: { ms: 'milliseconds', perConnection: 'per connection', perRequest: 'per request' },
  legend: {
    belowStep: 'too short for the browser’s clock',
    middleHalf: 'middle half',
    folded: (columns: string) => `Zero or unknown everywhere, so not shown: ${columns}`,
    keepMeasuring: 'keep measuring',
    unknown: 'unknown; hover or open the row for the reason',
  },
  spread: (values: { p25: string; median: string; mean: string; p75: string; p95: string; p99: string }) =>
    `p25 ${values.p25}, median ${values.median}, average ${values.mean}, p75 ${values.p75}, p95 ${values.p95}, p99 ${values.p99} ms`,

  row: {
    explain: (name: string) => `Explain ${name}`,
    fewBrowsers: 'Groups with too few browsers to be shown on their own',
    keepMeasuring: 'keep measuring',
    unknown: (reason: string) => `unknown: ${reason}`,
    nothingUsable: 'no usable samples',
    belowTenth: 'Less than 0.1 ms',
    noNetwork: 'no request went over the network',
    browsersUnknown: 'not known to this collector',
  },
  detail: {
    percentiles: (values: { p75: string; p90: string; p95: string; p99: string; max: string }) =>
      `p75 ${values.p75}, p90 ${values.p90}, p95 ${values.p95}, p99 ${values.p99}, max ${values.max} ms`,
    connections: 'Connections',
    evidence: 'Evidence',
    status: 'Result codes',
  },
  pair: {
    belowStep: '<step',
    samples: (n: number) => `n ${count(n)}`,
    interval: (low: string, high: string) => `median between ${low} and ${high} ms (95 %)`,
    belowClockStep: 'median below this browser’s clock resolution',
    variesWidely: 'times vary widely',
    keepMeasuring: (reasons: readonly string[]) => `keep measuring: ${reasons.join(', ')}`,
  },
  evidence: {
    usable: (usable: number, all: number) => `${count(usable)} usable of ${count(all)}`,
    cache: (n: number) => `${count(n)} from cache`,
    opaque: (n: number) => `${count(n)} opaque`,
    excluded: (n: number, reason: string) => `${count(n)} ${reason}`,
  },

  /** Headings of the copied table and the CSV. */
  document: {
    ofTotal: (statistic: string) => `To last byte, ${statistic}`,
    ofPhase: (phase: string, statistic: string) => `${phase}, ${statistic}`,
    change: 'Change of the median',
    changed: 'Change is significant',
    usable: 'Usable',
    yes: 'yes',
    no: 'no',
  },
};
