const number = new Intl.NumberFormat('en');
const count = (n: number, one: string, many: string) => `${number.format(n)} ${n === 1 ? one : many}`;

/** What a field of the settings says, by the path of its setting without list positions. */
export interface FieldText {
  readonly label: string;
  readonly hint?: string;
  readonly unit?: string;
}

const ID = { label: 'Id', hint: 'Lower-case letters, digits and hyphens.' };
const SECRET = {
  env: {
    label: 'Variable name',
    hint: 'Starts with LASTBYTE_SECRET_. Read at each use and never stored in the settings.',
  },
  file: {
    label: 'File name',
    hint: 'In the folder of lastbyte serve --secrets-dir. Read at each use and never stored in the settings.',
  },
};
const WEBHOOK = {
  url: { label: 'Address' },
  bearerFrom: { label: 'Bearer token' },
};

interface Undelivered extends Readonly<Record<'rule' | 'webhook' | 'next', string>> {
  readonly attempts: number;
  readonly error: string | null;
}

export const texts = {
  title: 'Settings',
  lead: 'What is measured, and how. Changes take effect when you save them.',
  readOnlyLead: 'What is measured, and how. Only administrators can change settings.',

  sections: {
    targets: { title: 'Apps', intro: 'The apps to watch. Nothing outside these pages is collected.' },
    probes: {
      title: 'Probes',
      intro: 'Scheduled requests from users’ browsers that measure the cost of HTTPS and the availability of the apps.',
    },
    alerts: {
      title: 'Alerts',
      intro:
        'A rule watches users’ times or availability from probes, and sends a notification when a limit is crossed.',
    },
    reports: {
      title: 'Scheduled reports',
      intro: 'Reports that are generated on a schedule and delivered to a folder, a webhook, or by mail.',
    },
    data: {
      title: 'Retention and privacy',
      intro:
        'Older data are deleted once an hour. Coarser resolutions are computed from finer ones, so they are kept at least as long.',
    },
    keys: { title: 'Keys', intro: 'Tokens for browsers and users. Only their hashes are stored.' },
    history: {
      title: 'History',
      intro: 'Every change is a revision. Undoing creates a new one, so nothing is lost.',
    },
  },

  fields: {
    'targets/name': { label: 'Name' },
    'targets/id': ID,
    'targets/match': {
      label: 'Pages (one match pattern per line)',
      hint: 'The asterisk stands for any text. A whole site: https://erp.example.com/*',
    },
    'targets/exclude/path': { label: 'Path' },
    'targets/exclude/host': { label: 'Host' },
    'targets/exclude/type': { label: 'Type' },
    'targets/templateRules': {
      label: 'Template rules (one per line)',
      hint: '{name} matches one segment, * one segment that is folded as usual, a final ** any number: /users/{user}/**',
    },
    'targets/serverTimingMetrics': {
      label: 'Server-Timing metrics to keep (one per line)',
      hint: 'The server’s names, such as cpu or db.',
    },
    'targets/unlockTimings': {
      label: 'Hosts whose hidden times are unlocked (one per line)',
      hint: 'For other hosts, browsers report little more than the total time. For hosts listed here they report all phases, also to this app’s own scripts, which could infer what was in a user’s cache. Browsers ask for permission to these hosts.',
    },

    'probes/enabled': {
      label: 'Run probes',
      hint: 'Turning this off stops all probes at each browser’s next settings poll, within five minutes.',
    },
    'probes/requestsPerHour': { label: 'Budget per browser', unit: 'requests per hour' },
    'probes/schedule/name': { label: 'Name' },
    'probes/schedule/id': {
      ...ID,
      hint: 'Lower-case letters, digits and hyphens. Sent to the server in the header X-Lastbyte-Probe.',
    },
    'probes/schedule/recording': {
      label: 'Recording',
      hint: 'In Chrome DevTools: Recorder, Export, JSON. Passwords in it become variables before it is saved. Only robots replay it.',
    },
    'probes/schedule/target': { label: 'App' },
    'probes/schedule/everyMinutes': { label: 'Every', unit: 'minutes' },
    'probes/schedule/share': { label: 'Fraction of browsers', hint: '1 is all, 0.02 is one in fifty.' },
    'probes/schedule/url': { label: 'Address', hint: 'A small file that never changes.' },
    'probes/schedule/otherUrl': { label: 'Address with the other scheme' },
    'probes/schedule/repetitions': { label: 'Repetitions' },
    'probes/schedule/sites': { label: 'Only at these sites (one per line)', hint: 'Empty: all sites.' },
    'probes/schedule/onlyWhenIdle': { label: 'Only after a minute without keyboard or mouse input' },
    'probes/schedule/onlyOnPower': { label: 'Only on mains power' },
    'probes/schedule/wildcard': { label: 'All subdomains of the host reach the same server' },
    'probes/schedule/cookies': { label: 'Send the user’s cookies' },
    'probes/schedule/steps/url': { label: 'Address' },
    'probes/schedule/steps/text': { label: 'Expected text' },
    'probes/schedule/steps/thresholdMs': { label: 'Threshold', unit: 'ms' },

    'alerts/everySeconds': { label: 'Evaluate every', unit: 's' },
    'alerts/dashboardUrl': { label: 'Address of this dashboard', hint: 'Notifications link to it.' },
    'alerts/lang': { label: 'Language of notifications' },
    'alerts/webhooks/name': { label: 'Name' },
    'alerts/webhooks/id': ID,
    'alerts/webhooks/url': WEBHOOK.url,
    'alerts/webhooks/bearerFrom': WEBHOOK.bearerFrom,
    'alerts/rules/name': { label: 'Name' },
    'alerts/rules/id': ID,
    'alerts/rules': { label: 'Watches' },
    'alerts/rules/target': { label: 'App' },
    'alerts/rules/host': { label: 'Host' },
    'alerts/rules/type': { label: 'Type' },
    'alerts/rules/site': { label: 'Site' },
    'alerts/rules/journey': { label: 'Of the runs of a journey' },
    'alerts/rules/eachSite': { label: 'Each site by itself' },
    'alerts/rules/connection': { label: 'Connection' },
    'alerts/rules/scenario': { label: 'Scenario' },
    'alerts/rules/webhooks': { label: 'Selected webhooks' },
    'alerts/rules/mailTo': {
      label: 'Mail to (one address per line)',
      hint: 'Sent by the mail server of the scheduled reports.',
    },
    'alerts/rules/availabilityBelow': {
      label: 'Alert when availability is below',
      hint: 'As a fraction: 0.99 is 99 %.',
    },
    'alerts/rules/statistic': { label: 'Alert when the' },
    'alerts/rules/time': { label: 'of the time' },
    'alerts/rules/aboveMs': { label: 'is above', unit: 'ms' },
    'alerts/rules/windowMinutes': { label: 'Time window', unit: 'minutes' },
    'alerts/rules/minSamples': { label: 'Minimum', unit: 'samples' },
    'alerts/rules/breaches': { label: 'Fires after', unit: 'breaches' },
    'alerts/rules/evaluations': { label: 'in the last', unit: 'evaluations' },
    'alerts/rules/hysteresis': {
      label: 'Resolve margin',
      hint: 'As a fraction: 0.1 resolves at 90 % of the limit.',
    },

    'reports/organisation': { label: 'Organisation', hint: 'In the title of the monthly report.' },
    'reports/mail/host': { label: 'SMTP host' },
    'reports/mail/port': { label: 'Port' },
    'reports/mail/tls': { label: 'Encryption', hint: 'If the server does not support it, no mail is sent.' },
    'reports/mail/from': { label: 'Sender' },
    'reports/mail/user': { label: 'User' },
    'reports/mail/passwordFrom': { label: 'Password' },
    'reports/schedule/name': { label: 'Name' },
    'reports/schedule/id': { ...ID, hint: 'Lower-case letters, digits and hyphens. Used in file names.' },
    'reports/schedule/cron': {
      label: 'Schedule',
      hint: 'Minute, hour, day, month, weekday: 0 6 1 * * is 06:00 on the first of each month.',
    },
    'reports/schedule/zone': { label: 'Time zone', hint: 'Such as Europe/Berlin.' },
    'reports/schedule/view': { label: 'View' },
    'reports/schedule/period': { label: 'Covers the last full' },
    'reports/schedule/lang': { label: 'Language' },
    'reports/schedule/formats': { label: 'Formats', hint: 'None selected: PDF.' },
    'reports/schedule/first': { label: 'Primary statistic' },
    'reports/schedule/per': { label: 'TLS and set-up per' },
    'reports/schedule/businessHours': { label: 'Business hours', hint: 'Such as Mon-Fri 08:00-18:00.' },
    'reports/schedule/outliers': { label: 'Outliers', hint: 'none, tukey, or cap:10000 for longer than 10 s.' },
    'reports/schedule/minN': { label: 'Smallest group', unit: 'requests' },
    'reports/schedule/folder': { label: 'Folder', hint: 'Inside the folder of lastbyte serve --reports.' },
    'reports/schedule/mailTo': { label: 'Mail to (one address per line)' },
    'reports/schedule/webhook': { label: 'Webhook' },
    'reports/schedule/webhook/url': WEBHOOK.url,
    'reports/schedule/webhook/bearerFrom': WEBHOOK.bearerFrom,

    'retention/sampleDays': { label: 'Individual samples', unit: 'days' },
    'retention/hourDays': { label: 'Hourly data', unit: 'days' },
    'retention/dayDays': { label: 'Daily data', unit: 'days' },
    'retention/monthDays': { label: 'Monthly data', unit: 'days' },
    'privacy/foldSmallGroups': {
      label: 'Groups of fewer than 5 browsers',
      hint: 'Such groups could identify a person, also by subtraction. Administrators always see them.',
    },
    'sites/site': { label: 'Site' },
    'sites/networks': { label: 'Networks (one per line)', hint: 'Such as 10.1.0.0/16 or 2001:db8:1::/48.' },
    'delivery/intervalSeconds': { label: 'Browsers send at least every', unit: 's' },
  },
  secret: SECRET,
  secretSources: {
    label: ({ of }: { readonly of: string }) => `${of} source`,
    none: 'none',
    here: 'entered here',
    env: 'in an environment variable of the server',
    file: 'in a file in the server’s secrets folder',
  },

  decimalMark: '.',
  any: 'any',
  noneSet: 'none',
  forever: 'forever',
  allHours: 'all hours',
  usual: 'default',
  sameAddress: 'the same address',

  idIs: 'Id:',
  changeId: 'Change',
  remove: 'Remove',
  removeItem: ({ title }: { readonly title: string }) => `Remove ${title}`,

  targets: {
    untitled: 'New app',
    noPages: 'no pages yet',
    none: 'No apps yet: enrolled browsers collect nothing.',
    add: 'Add an app',
    addSeen: ({ name }: { readonly name: string }) => `Add ${name}, which your apps load from`,
    namePlaceholder: 'ERP',
    onlyThisPage: ({ line }: { readonly line: string }) => `${line} is a single page.`,
    wholeSite: ({ site }: { readonly site: string }) => `Watch the whole site: ${site}`,
    rules: 'Exclusion rules',
    rulesHint:
      'Requests that are counted but not timed, such as health checks and polling. A rule matches if all of its fields match.',
    rule: ({ n }: { readonly n: number }) => `Rule ${n}`,
    removeRule: ({ n }: { readonly n: number }) => `Remove rule ${n}`,
    addRule: 'Add a rule',
    further: 'Path templates, Server-Timing, hidden times',
  },

  probes: {
    none: 'No probes are set up.',
    setUp: 'Set up probes',
    budget: ({ needed }: { readonly needed: number }) => `The schedule needs up to ${needed}.`,
    off: 'These probes are off, because they send the user’s cookies and look for a text: remove one or the other.',
    untitled: 'New probe',
    addSequence: 'Add a sequence',
    addJourney: 'Add a journey',
    addScript: 'Add a script',
    sequence: ({ url, minutes }: { readonly url: string; readonly minutes: string }) =>
      `sequence for ${url}, every ${minutes} min`,
    journey: ({ steps, minutes }: { readonly steps: number; readonly minutes: string }) =>
      `journey with ${count(steps, 'step', 'steps')}, every ${minutes} min, in robots`,
    notJson: 'This file is not JSON. In the Recorder panel choose Export, then JSON.',
    variables: ({ names, hidden }: { readonly names: string; readonly hidden: number }) =>
      `${hidden > 0 ? `${count(hidden, 'secret was', 'secrets were')} replaced. ` : ''}Robots need values for: ${names}.`,
    script: ({ steps, minutes }: { readonly steps: number; readonly minutes: string }) =>
      `script with ${count(steps, 'step', 'steps')}, every ${minutes} min`,
    further: 'Where and when',
    steps: 'Steps, run in order until one fails',
    step: ({ n }: { readonly n: number }) => `Step ${n}`,
    removeStep: ({ n }: { readonly n: number }) => `Remove step ${n}`,
    addStep: 'Add a step',
  },

  alerts: {
    none: 'No alerts are set up.',
    setUp: 'Set up alerts',
    webhooks: 'Webhooks',
    untitledWebhook: 'New webhook',
    addressElsewhere: 'address stored outside the settings',
    noWebhooks: 'No webhooks. Rules can notify by mail instead.',
    notified: 'Notify',
    whichWebhooks: { all: 'all webhooks', some: 'selected webhooks', none: 'no webhook, only by mail' },
    addWebhook: 'Add a webhook',
    rules: 'Rules',
    untitledRule: 'New rule',
    noRules: 'No rules yet.',
    addRule: 'Add an alert',
    kinds: { time: 'users’ times', availability: 'availability from probes' },
    noJourney: 'no: of probes’ requests',
    eachJourney: 'each journey by itself',
    statistics: { median: 'median', p95: '95th percentile' } as Readonly<Record<string, string>>,
    times: { ttfb: 'To the first byte', ttlb: 'To the last byte' },
    /** `journey`: its id, `*` for each of them, '' for probes. */
    availabilityNote: ({ below, journey }: Readonly<Record<'below' | 'journey', string>>) =>
      `availability ${journey === '' ? '' : `of ${journey === '*' ? 'a journey' : journey} `}below ${below}`,
    timeNote: ({ statistic, time, above }: Record<'statistic' | 'time' | 'above', string>) =>
      `${statistic} ${time.toLowerCase()} above ${above} ms`,
    further: 'Connections and sensitivity',
    sendTest: 'Send test',
    sendTestMail: 'Send test mail',
    sendTestTo: ({ title }: { readonly title: string }) => `Send test to ${title}`,
    mail: 'the mail recipients',
    sending: 'Sending …',
    delivered: ({ status }: { readonly status: number | null }) =>
      status === null ? 'Delivered.' : `Delivered: status ${status}.`,
    notDelivered: ({ status, error }: { readonly status: number | null; readonly error: string | null }) =>
      `Not delivered${status === null ? '' : ` (status ${status})`}: ${error ?? 'no reason given'}.`,
    statusPanel: 'Alert status',
    statusTitle: 'Current status',
    columns: {
      rule: 'Rule',
      state: 'State',
      since: 'Since',
      value: 'Last value',
      samples: 'Samples',
      at: 'Evaluated',
    },
    states: { firing: 'firing', never: 'not evaluated yet', ok: 'ok' },
    tooFewSamples: 'too few samples',
    undelivered: ({ rule, webhook, attempts, error, next }: Undelivered) =>
      `A notification of ${rule} could not be delivered to ${webhook} in ${count(attempts, 'attempt', 'attempts')}${error === null ? '' : `: ${error}`}. Next attempt at ${next}.`,
  },

  reports: {
    none: 'No scheduled reports are set up.',
    setUp: 'Set up reports',
    untitled: 'New report',
    add: 'Add a report',
    note: ({ view, when, channels }: { view: string; when: string; channels: readonly string[] }) =>
      `${view}, at ${when}, ${channels.length === 0 ? 'no delivery yet' : channels.join(', ')}`,
    channels: {
      folder: ({ folder }: { readonly folder: string }) => `folder ${folder}`,
      webhook: 'webhook',
      mail: ({ to }: { readonly to: string }) => `mail to ${to}`,
    },
    views: {
      monthly: 'monthly',
      summary: 'summary',
      scenarios: 'scenarios',
      phases: 'phases',
      pages: 'pages',
      ratios: 'ratios',
      probes: 'probes',
      compare: 'compare',
    },
    periods: { month: 'month', week: 'week', day: 'day' },
    languages: { en: 'English', de: 'German' },
    statistics: { median: 'median', average: 'average' },
    per: { request: 'request', connection: 'connection' },
    delivery: 'Delivery: one or more channels',
    webhookChoices: { none: 'none', post: 'post each file' },
    countingRules: 'Counting rules',
    filters: 'Filters',
    mailServer: 'Mail server',
    noMailServer: 'No mail server: reports cannot be sent by mail.',
    setUpMail: 'Set up mail',
    removeMailServer: 'Remove mail server',
    security: { starttls: 'STARTTLS', implicit: 'TLS from the start', none: 'none (plain text)' },
    generate: 'Generate now',
    generateNow: ({ report }: { readonly report: string }) => `Generate now: ${report}`,
    generating: 'Generating …',
    stillGenerating: 'Still being generated. It appears in the list below when it is done.',
    sent: ({ channels, files }: Record<'channels' | 'files', string>) => `Delivered (${channels}): ${files}`,
    noMoreAttempts: 'No more attempts.',
    nextAttempt: ({ at }: { readonly at: string }) => `Next attempt at ${at}.`,
    statusPanel: 'Report status',
    runs: 'Recent runs',
    columns: {
      report: 'Report',
      due: 'Due',
      state: 'State',
      attempts: 'Attempts',
      done: 'Delivered by',
      files: 'Files',
      errors: 'Last error',
      next: 'Next attempt',
    },
    runStates: { waiting: 'waiting', done: 'done', failed: 'failed' } as Readonly<Record<string, string>>,
    neverDue: ({ report }: { readonly report: string }) => `${report} is never due again.`,
    nextDue: ({ report, at }: Record<'report' | 'at', string>) => `${report} is next due at ${at}.`,
  },

  data: {
    foldSmallGroups: {
      '': 'hidden from viewers if there are 20 browsers or more',
      true: 'always hidden from viewers',
      false: 'shown to viewers',
    },
    sites: 'Sites by network',
    sitesHint:
      'For browsers whose policy names no site. The address a browser sends from is looked up here and not stored.',
    site: ({ n }: { readonly n: number }) => `Site ${n}`,
    removeSite: ({ n }: { readonly n: number }) => `Remove site ${n}`,
    addSite: 'Add a site',
  },

  json: {
    title: 'All settings as JSON',
    note: 'as printed by lastbyte settings show',
    label: 'Settings as JSON',
    apply: 'Apply to form',
    copy: 'Copy the settings',
    invalid: ({ reason }: { readonly reason: string }) => `Invalid JSON: ${reason}. Nothing was changed.`,
  },

  keys: {
    roles: {
      ingest: 'browsers: send samples only',
      read: 'viewer: read reports',
      admin: 'administrator: change settings and keys',
    },
    shortRoles: { ingest: 'Browsers', read: 'Viewer', admin: 'Administrator' },
    for: 'Key for',
    label: 'Label',
    labelPlaceholder: 'sales laptops',
    create: 'Create key',
    copyNow: 'Copy this key now',
    copied: 'I have copied it',
    shownOnce: ({ label }: { readonly label: string }) =>
      `The key${label === '' ? '' : ` “${label}”`} is shown only once. If you lose it, create a new one.`,
    key: 'Key',
    copy: 'Copy the key',
    useForBrowsers:
      'Enter it with this collector’s address in the policy that rolls out the extension, or in the extension’s options.',
    useForPeople: 'Use it to sign in, or send it in the header authorization: Bearer.',
    list: 'List of keys',
    columns: { label: 'Label', role: 'Role', created: 'Created' },
    noLabel: '(no label)',
    yours: 'yours',
    revoke: 'Revoke',
    revokeOne: ({ key }: { readonly key: string }) => `Revoke ${key}`,
    revokeQuestion: ({ key }: { readonly key: string }) => `Revoke ${key}?`,
    revoked: ({ key }: { readonly key: string }) => `${key} was revoked`,
    named: ({ label }: { readonly label: string }) => `“${label}”`,
    unnamed: { ingest: 'the browsers’ key', read: 'the viewer key', admin: 'the administrator key' },
    lastAdmin:
      'It is the last administrator key. A new one can then be created only on the server: lastbyte token create --role admin',
    signsYouOut: 'You are signed in with this key and will be signed out at once.',
    stopsBrowsers:
      'Browsers that use it can no longer send. They keep their samples for up to 7 days, until they get another key.',
    stopsPeople: 'Users of this key are signed out at once, and scripts that use it stop working.',
  },

  collector: {
    shared: 'These settings are in PostgreSQL and apply to all collectors.',
    leads: 'This collector runs alerts and scheduled reports.',
    follows: 'Another collector runs alerts and scheduled reports.',
    away: 'PostgreSQL is unreachable: batches are accepted, but nothing can be changed.',
    forwards: 'Samples are kept in ClickHouse.',
    noBacklog: 'None is waiting to be forwarded.',
    backlog: ({ samples, size, oldest }: Record<'samples' | 'size' | 'oldest', string>) =>
      `${samples} are waiting here to be forwarded (${size}), the oldest from ${oldest}. Views do not include them yet.`,
  },

  history: {
    none: 'Nothing has been saved yet.',
    authorUnknown: 'author unknown',
    current: 'current',
    show: 'Show changes',
    showOne: ({ revision }: { readonly revision: number }) => `Show changes in revision ${revision}`,
    revision: ({ revision, at, author }: { revision: number; at: string; author: string }) =>
      `Revision ${revision}, ${at}${author === '' ? '' : `, ${author}`}`,
    undo: 'Undo this change',
    goBack: ({ revision }: { readonly revision: number }) => `Go back to revision ${revision}`,
    close: 'Close',
    alreadyCurrent: 'These settings are already current',
  },

  packaging: {
    again: 'Package the extension again',
    notYet: 'Package the extension for these apps',
  },

  diff: { none: 'No differences.', whole: 'the whole document', removed: 'removed: ', added: 'added: ' },

  /** Messages by the codes of `shared/settings`, for the field that they belong to. */
  problems: {
    required: () => 'Please fill this in.',
    not_one_of: ({ allowed }) => `Use one of ${allowed}.`,
    wrong_type: ({ type }) =>
      type === 'integer' ? 'Enter a whole number, without separators.' : 'Enter a number, without separators.',
    too_small: ({ limit }) => `Enter ${limit} or more.`,
    not_above: ({ limit }) => `Enter more than ${limit}.`,
    too_large: ({ limit }) => `Enter ${limit} or less.`,
    too_short: ({ limit }) => (limit === '1' ? 'Please fill this in.' : `Too short: at least ${limit} characters.`),
    too_long: ({ limit }) => `Too long: at most ${limit} characters.`,
    invalid_text: () => 'This has a character that cannot be seen: type it again instead of pasting it.',
    wrong_form: () => 'This is not in the form expected here.',
    too_few: () => 'Enter at least one.',
    too_many: ({ limit }) => `Too many: at most ${limit}.`,
    match_pattern: ({ pattern, fault }) => `${pattern} ${fault}.`,
    template_rule: ({ rule, fault }) => `${rule} ${fault}.`,
    exclusion_path: ({ path, fault }) => `${path} ${fault}.`,
    repeated_id: ({ id }) => `The id ${id} is already used: choose another.`,
    not_a_host: ({ host }) => `${host} is not a host. Example: cdn.example.com`,
    not_a_network: ({ network }) => `${network} is not a network. Example: 10.1.0.0/16`,
    repeated_network: ({ network }) => `${network} is listed twice: a network belongs to one site.`,
    retention_order: () => 'Keep coarser data at least as long as finer data.',
    no_target: ({ id }) => (id === '' ? 'Choose an app.' : 'This app no longer exists: choose another.'),
    not_repeatable: ({ minutes, least }) =>
      `Replay it every ${least} minutes at most: the recording does not say that it may be repeated every ${minutes}.`,
    secret_value: ({ steps }) =>
      `Step ${steps} types a secret in plain text: replace it by a variable, such as {{password}}.`,
    over_budget: ({ needed, allowed }) =>
      `The schedule needs up to ${needed} requests per hour, more than the ${allowed} allowed: probe less often, repeat less, or raise the budget.`,
    text_with_cookies: () =>
      'Remove this text, or do not send the user’s cookies: a probe must not reveal what signed-in pages say.',
    names_user: () => 'Remove the part before the @: probes do not sign in.',
    not_address: () => 'Write the whole address, such as https://erp.example.com/logo.png',
    not_other_address: () => 'Write the same address with the other scheme, http or https.',
    no_journey: () => 'This journey no longer exists: choose another.',
    journey_alone: ({ names }) =>
      `With a journey go only availability, app, site and each site by itself: remove ${names}.`,
    no_webhook: ({ id }) => `There is no webhook ${id} any more.`,
    no_mail_server: () => 'There is no mail server yet: set one up under Scheduled reports.',
    not_http: () => 'Write an address that begins with https:// or http://',
    has_password: () => 'The address contains a password. Store it outside the settings: choose another source.',
    has_query: () => 'Write the address without ? and #.',
    impossible_breaches: ({ breaches, evaluations }) => `${breaches} of ${evaluations} is impossible.`,
    no_zone: ({ zone }) => `There is no time zone ${zone}. Examples: Europe/Berlin, UTC.`,
    cron_parts: () => 'Write five parts: minute, hour, day, month, weekday.',
    cron_never: () => 'This time never occurs.',
    cron_unreadable: () => 'This cannot be read. 0 6 1 * * is 06:00 on the first of each month.',
    no_destination: () => 'Choose where the report goes: a folder, a webhook or mail.',
    url_or_reference: () => 'Enter the address.',
    secret_variable: ({ name }) => `The name has to begin with LASTBYTE_SECRET_, such as ${name}.`,
    secret_file: () => 'Write only the name of a file in the secrets folder.',
  } as Readonly<Record<string, (values: Readonly<Record<string, string>>) => string>>,

  saving: {
    bar: 'Unsaved changes',
    unsaved: 'not saved yet',
    changes: ({ n }: { readonly n: number }) => count(n, 'unsaved change', 'unsaved changes'),
    errors: ({ n }: { readonly n: number }) => count(n, 'error', 'errors'),
    fixFirst: ({ n }: { readonly n: number }) => `${count(n, 'error', 'errors')}: fix before saving`,
    review: 'Review and save',
    keptUnsaved: 'Unsaved changes are kept until you return to the settings.',
    signOutAnyway: 'The settings have changes that are not saved. Discard them and sign out?',
    discard: 'Discard',
    question: 'Save these changes?',
    save: 'Save',
    keepEditing: 'Keep editing',
    cancel: 'Cancel',
    combined: 'These are your changes to the latest settings.',
    savedTitle: 'Saved.',
    savedWhat: ({ sections, at, revision }: { sections: string; at: string; revision: number | null }) =>
      `${sections}, ${at}${revision === null ? '' : `, revision ${revision}`}`,
    applied: 'Browsers apply the changes at their next poll, within five minutes.',
    saved: 'Saved. Browsers apply the changes at their next poll, within five minutes.',
    conflict: 'The settings have changed in the meantime',
    theirs: ({ author }: { readonly author: string }) =>
      `${author === '' ? 'Someone' : `“${author}”`} saved these changes after you opened the page:`,
    combinable: 'Your changes are in other places and can be combined with these.',
    bothChanged: ({ places }: { readonly places: string }) =>
      `You both changed ${places}. If you apply your changes, they replace the others there.`,
    onTop: 'Apply my changes on top',
    discardMine: 'Discard my changes',
    saveFirst: 'Save it first: the server uses the saved settings.',
  },
};

export type SettingsTexts = typeof texts;
