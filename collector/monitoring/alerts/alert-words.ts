/** The words of alert messages, in each language. */
export interface AlertWords {
  readonly everything: string;
  readonly unknown: string;
  readonly test: string;
  ms(value: number): string;
  percent(share: number): string;
  window(minutes: number, samples: number): string;
  time(statistic: string, time: string, where: string, value: string, threshold: string, window: string): string;
  availability(where: string, value: string, wanted: string, window: string): string;
  /** Before what a rule that has recovered says. */
  readonly recovered: string;
  subject(rule: string, status: 'firing' | 'recovered' | 'test'): string;
  readonly open: string;
  /** Instead of the link. */
  readonly noLink: string;
}

const SUBJECTS_EN = { firing: 'is firing', recovered: 'has recovered', test: 'test' } as const;

const english: AlertWords = {
  everything: 'everything',
  unknown: 'unknown',
  test: 'Lastbyte: this is a test. Alerts will arrive here.',
  ms: (value) => `${rounded(value)} ms`,
  percent: (share) => `${rounded(share * 100)} %`,
  window: (minutes, samples) => `last ${minutes} min, ${samples} samples`,
  time: (statistic, time, where, value, threshold, window) =>
    `${statistic} ${time} of ${where} is ${value} (threshold ${threshold}; ${window}).`,
  availability: (where, value, wanted, window) => `availability of ${where} is ${value} (${wanted} wanted; ${window}).`,
  recovered: 'recovered,',
  subject: (rule, status) =>
    status === 'test' ? 'Lastbyte: test of alerts' : `Lastbyte: ${rule} ${SUBJECTS_EN[status]}`,
  open: 'Open it in the dashboard',
  noLink: 'For a link to the dashboard, set alerts.dashboardUrl in the settings.',
};

const german: AlertWords = {
  everything: 'alles',
  unknown: 'unbekannt',
  test: 'Lastbyte: Dies ist ein Test. Alarme kommen hier an.',
  ms: (value) => `${comma(rounded(value))} ms`,
  percent: (share) => `${comma(rounded(share * 100))} %`,
  window: (minutes, samples) => `letzte ${minutes} min, ${samples} Messungen`,
  time: (statistic, time, where, value, threshold, window) =>
    `${statistic === 'median' ? 'Median' : statistic} von ${time} für ${where}: ${value} (Schwelle ${threshold}; ${window}).`,
  availability: (where, value, wanted, window) =>
    `Verfügbarkeit für ${where}: ${value} (gefordert ${wanted}; ${window}).`,
  recovered: 'wieder in Ordnung,',
  subject: (rule, status) =>
    status === 'test'
      ? 'Lastbyte: Test der Alarme'
      : `Lastbyte: ${status === 'firing' ? `Alarm ${rule}` : `${rule} wieder in Ordnung`}`,
  open: 'Im Dashboard öffnen',
  noLink: 'Für einen Link zum Dashboard fehlt alerts.dashboardUrl in den Einstellungen.',
};

export function alertWords(language: 'en' | 'de' = 'en'): AlertWords {
  return language === 'de' ? german : english;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

function comma(value: number): string {
  return String(value).replace('.', ',');
}
