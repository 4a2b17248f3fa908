export const COMPONENTS = {
  copy: 'Copy',
  copied: 'Copied',
  notAllowed: 'Not allowed',
  cancel: 'Cancel',
  unknown: 'unknown',
  noRows: 'No rows.',
  notes: 'Notes',
  copyTable: (table: string) => `Copy table ${table}`,
  downloadTable: (table: string) => `Download table ${table} as CSV`,

  /** `in progress`: `40 % · 3 s`. */
  loading: (name: string, progress: string) => `Loading ${name.toLowerCase()} … ${progress}`,
  loadingName: (name: string) => `Loading ${name}`,
  notUpdated: (code: string | null, message: string) => `Not updated${code === null ? '' : ` (${code})`}: ${message} `,
  tryAgain: 'Try again',
  cancelled: (name: string) => `${name}: cancelled. `,
  load: 'Load',

  notResponding: 'The collector does not respond',
  notRespondingWhy: 'It may be restarting, or the network is down. This page retries automatically.',
  retryNow: 'Retry now',
  serverFailed: 'The collector reported an error',
  viewFailed: 'This view cannot be shown',
  code: 'Code',
  status: (status: number) => `status ${status}`,

  nothingShown: 'Nothing to show in this view',
  clearFilters: 'Clear filters',
  show30Days: 'Show 30 days',
  fewBrowsers: 'Too few browsers',
  fewBrowsersIn: (range: string, folded: string) =>
    `The data in ${range} come from too few browsers to be shown. ${folded}.`,
  fewBrowsersHint: (filtered: boolean) =>
    `${filtered ? 'Fewer filters or a' : 'A'} longer range may include more browsers. Administrators see everything.`,
  noMatch: 'No samples match',
  noMatchIn: (range: string) => `Nothing in ${range} matches these filters.`,
  nothingMeasured: 'Nothing measured yet',
  nothingSentIn: (range: string) => `No browser has sent a sample in ${range}.`,
  /** A command follows. */
  firstSteps: {
    settings: 'Configure the apps to watch: ',
    key: 'Create a key for browsers: ',
    install: 'Install the extension, enter this address and the key in its options, and open one of the apps.',
  },
  firstDataSoon: 'The first data appear here about a minute later.',

  more: 'In detail',
  here: 'Here',
  notTimed: (where: string) => `${where}: no request could be timed.`,
  allowTimings: 'Its owner can allow your pages access with the response header Timing-Allow-Origin.',
  keepMeasuring: 'keep measuring',
  tentative: (meaning: string, reason: string) => `${meaning}; keep measuring: ${reason}`,

  /** Caption of an exported chart. */
  rangeOf: (from: string, to: string) => `${from} to ${to}`,
  dataOf: (hash: string) => `data ${hash}`,

  method: {
    title: 'Method',
    data: 'data',
    rules: 'Rules',
    dataHash: 'Data hash',
    perConnection: 'Per connection',
    perConnectionMeans: 'over new connections only: the cost of opening a connection',
    perRequest: 'Per request',
    perRequestMeans: 'over all network requests; a reused connection counts 0: the overall cost for users',
    range: 'Range',
    rangeOf: (from: string, to: string) => `${from} to ${to}, end exclusive`,
    filters: 'Filters',
    noFilters: 'none',
    filter: (dimension: string, values: readonly string[]) => `${dimension} = ${values.join(' or ')}`,
    exclusion: (dimension: string, values: readonly string[]) => `${dimension} is not ${values.join(' or ')}`,
    versions: 'Versions',
    noVersions: 'not stated',
    exact: 'Exact',
    sketched: (bound: string) => `Sketched: quantiles within ${bound} of the exact value`,
  },
};
