export const APP = {
  roles: { read: 'Viewer', admin: 'Administrator' },
  /** A group of values with too few browsers to be shown individually. */
  fewBrowsers: '(few browsers)',
  signOut: 'Sign out',
  otherLanguage: { tag: 'de', name: 'Deutsch' },
  skip: 'Skip to content',
  skipToFilters: 'Skip to filters',
  skipToTable: 'Skip to table',
  viewsLabel: 'Views',
  controlsLabel: 'Time range and filters',
  views: {
    overview: 'Overview',
    probes: 'Probes',
    compare: 'Compare',
    evidence: 'Evidence',
    settings: 'Settings',
  },

  signIn: {
    title: 'Sign in',
    question: 'What do your users really wait for: TLS, the network or the server?',
    token: 'Token',
    help: 'The collector prints an admin token at its first start. To create another:',
    ended: 'Your session has ended. Sign in again.',
    stillSignedIn: (problem: string) => `You are still signed in. ${problem}`,
  },

  status: {
    loading: 'Loading …',
    updated: (age: string) => `Updated ${age}`,
    refresh: 'Refresh',
  },
  outage: {
    unreachable: (since: string) => `The collector hasn’t answered since ${since}. The page shows the data from then.`,
    failed: (problem: string, since: string) =>
      `Not updated since ${since}: ${problem} The page shows the data from then.`,
    retry: 'Retry now',
  },
  clock: {
    lead: 'The collector’s clock may be wrong.',
    details: (actual: string, expected: string) =>
      `It shows ${actual}; ${expected} was expected. No expired data are deleted until it is right or confirmed.`,
    confirm: 'If the clock is right, run this on the collector’s machine:',
  },

  /** `words` and `during` complete a sentence after `in`. */
  ranges: {
    '15m': { label: '15 min', words: 'the last 15 minutes' },
    '1h': { label: '1 hour', words: 'the last hour' },
    '24h': { label: '24 hours', words: 'the last 24 hours' },
    '7d': { label: '7 days', words: 'the last 7 days' },
    '30d': { label: '30 days', words: 'the last 30 days' },
  },
  during: (period: string) => `the period ${period}`,
  range: {
    label: 'Time range',
    custom: 'Custom',
    from: 'From',
    to: 'To (exclusive)',
    show: 'Show',
    endBeforeStart: 'The end must be after the start.',
  },
  sort: {
    label: 'Sort by',
    column: (group: string, basis: string | null, column: string) =>
      `${basis === null ? group : `${group} ${basis}`}, ${column}`,
    descending: 'Descending; reverse',
    ascending: 'Ascending; reverse',
  },
  filters: {
    label: 'Filters',
    add: 'Add filter',
    other: 'Other filter',
    clear: 'Clear filters',
    by: (dimension: string) => `Filter by ${dimension.toLowerCase()}`,
    search: (dimension: string) => `Search ${dimension.toLowerCase()}`,
    noMatch: 'No value matches.',
    exclude: 'Exclude',
    excludeValue: (value: string) => `Exclude ${value}`,
    someHidden: 'Values with too few browsers are not listed.',
    chips: 'Active filters',
    is: (dimension: string, value: string) => `${dimension}: ${value}`,
    isNot: (dimension: string, value: string) => `${dimension} is not ${value}`,
    remove: (filter: string) => `Remove filter ${filter}`,
    loading: 'Loading …',
    samples: 'samples',
    tooFewBrowsers: 'Each value has too few browsers to be shown.',
    noneKnown: (dimension: string) => `No ${dimension.toLowerCase()} is known for these samples.`,
    done: 'Done',
  },

  errors: {
    unreachable: 'The collector does not respond.',
    notACollector: 'This is not a response from a Lastbyte collector.',
    checkAddress: 'Check the address.',
    status: (status: number) => `The collector answered with status ${status}.`,
    reload: 'Reload the page.',
    /** Headlines by error code, said before the collector's own message, which is in English. */
    headlines: {} as Readonly<Record<string, string>>,
    /** Codes whose headline says it all. */
    complete: [] as readonly string[],
  },
};
