import { ENGLISH } from '../../analysis/text/english.ts';
import { PROBE_REASONS } from '../../analysis/text/probe-reasons.ts';
import { t } from './t.ts';

const { count, difference, ms, wholeShare } = ENGLISH.numbers;
const paths = (n: number) => `${count(n)} ${n === 1 ? 'path' : 'paths'}`;

export const PROBES = {
  title: 'Probes',
  place: (app: string, site: string | null) => `${app} from ${site ?? 'browsers without a site'}`,
  noSite: 'no site',
  /** `sentence` is the collector's, about one path. */
  headline: (place: string, sentence: string) => `${place}: ${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`,
  noSequence: 'No probe sequence was measured in this range.',
  probed: (n: number) => `${paths(n)} probed`,
  runs: {
    unreported: 'No browser has reported how many probes it ran: older extensions do not.',
    tooFew: 'The number of probe runs is not shown: too few browsers',
    reported: (n: number) => `Browsers reported ${count(n)} probe ${n === 1 ? 'run' : 'runs'}`,
    skipped: (reported: string, n: number, reasons: string) =>
      n === 0 ? `${reported}.` : `${reported}; ${count(n)} more were skipped: ${reasons}.`,
    off: (names: string) =>
      `Off, because a probe that sends cookies must not look for a text: ${names}. Change it in the settings.`,
  },

  none: {
    title: 'No probes ran',
    announced: 'No probes ran in this range',
    lead: (range: string) => `There are no probe results in ${range}.`,
    skipped: (reasons: string) => `Skipped runs: ${reasons}.`,
    now: 'Now, from this machine:',
    schedule:
      'On a schedule, from users’ browsers: add a probe in the settings. One small file is enough, and a budget limits the requests.',
    add: 'Add a probe',
    longer: 'Show 30 days',
  },

  availability: {
    heading: 'Availability',
    title: 'Availability over time',
    step: (seconds: number): string =>
      seconds === 3600 ? 'an hour' : seconds === 86_400 ? 'a day (UTC)' : 'a week (UTC)',
    note: (step: string) => `Each mark is ${step}; the share that failed is red.`,
    answered: 'answered',
    failed: 'failed',
    noProbe: 'no probe',
    /** 99.96 % is not 100 %: a single failure must not be rounded away. */
    almostAll: `>${ENGLISH.numbers.fixed(99.5, 1)} %`,
    columns: { place: 'App and site', from: 'From', share: 'Available', up: 'Answered', down: 'Failed' },
    counted: 'Answered: 2xx or 3xx. Failures caused by the probe itself are not counted against the app.',
  },

  paths: {
    details: 'Measurements and cost by scenario',
    withoutCost: (n: number) => paths(n),
    withoutCostOf: (places: string) => ` without a known cost of HTTPS yet: ${places}`,
    noUsers: 'No user requests were seen on this path in this range.',
    users: (requests: number, reuse: number) =>
      `Users made ${count(requests)} ${requests === 1 ? 'request' : 'requests'} on this path; ${wholeShare(reuse)} of those over HTTPS reused a connection.`,
    measurementsOf: (place: string) => `Measurements, ${place}`,
    costOf: (place: string) => `Cost of HTTPS, ${place}`,
  },

  journeys: {
    step: (journey: string, step: number) => `${journey}, step ${step}`,
  },

  sequence: {
    title: 'Measurements',
    columns: {
      scenario: 'Scenario',
      median: 'Probes, median',
      p95: 'Probes, p95',
      kept: 'Kept',
      runs: 'Runs',
      method: 'Method',
      not: 'Discarded or unavailable',
      users: 'Users, median',
      userRequests: 'Users’ requests',
    },
    unavailable: (reasons: string) => `unavailable: ${reasons}`,
    notes: [
      'Total time to the last byte. A run is kept only if its own timestamps prove the scenario.',
      'Probes request one small resource, users request all kinds and sizes. The two are shown side by side and never combined.',
    ],
  },
  ratios: {
    title: 'Cost of HTTPS',
    columns: {
      scenario: 'Scenario',
      baseline: 'Baseline',
      ms: 'Adds, median',
      interval: '95 % interval, ms',
      ratio: 'Ratio',
      mean: 'Adds, average',
      reason: 'Why unknown',
    },
    interval: (low: number, high: number) => `${difference(low)} to ${difference(high)}`,
    unknown: {
      no_baseline: 'no baseline',
      not_measured: 'not measured',
      baseline_not_measured: 'baseline not measured',
      different_hosts: 'measured on different hosts than its baseline',
      different_types: 'measured with different types of requests than its baseline',
      different_sites: 'measured at different sites than its baseline',
      different_templates: 'measured on different paths than its baseline',
      few_samples: 'fewer than 6 runs',
    } as Readonly<Record<string, string>>,
    note: 'From probes only, from the start of the connect to the last byte, without DNS lookup and queueing. Resumed and full handshakes are subsets of “everything new” where the kind of handshake is known.',
  },

  steps: {
    title: 'Steps by site',
    trend: 'Trend',
    noTrend: 'no trend',
    trendOf: (first: number, last: number, steps: number) =>
      `trend from ${ms(first)} to ${ms(last)} ms over ${count(steps)} steps`,
    notMeasured: 'not measured',
    ofThreshold: (median: number, threshold: number) => `${ms(median)} of ${ms(threshold)} ms`,
  },

  /** What a probe requests: its scenario, or its script. */
  probes: { ...t.scenarios, script: 'script' } as Readonly<Record<string, string>>,
  failedAt: 'At',

  methods: {
    keep_alive: 'kept alive',
    close_header: 'Connection: close',
    credentialless_frame: 'fresh frame',
    fresh_subdomain: 'fresh subdomain',
    idle_wait: 'idle wait',
  } as Readonly<Record<string, string>>,
  probeReasons: PROBE_REASONS,
};
