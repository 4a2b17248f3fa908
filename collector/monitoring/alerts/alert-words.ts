import type { SummaryTime } from '../../../shared/vocabulary/time-names.ts';
import type { TableTexts } from '../../analysis/text/english-tables.ts';
import { type Numbers, numberWords } from '../../analysis/text/numbers.ts';
import { pickTexts } from '../../analysis/text/texts.ts';

type Status = 'firing' | 'recovered';

/** The values in the sentence of a rule. */
export interface Watched {
  readonly rule: string;
  readonly status: Status;
  /** `119 ms`. */
  readonly value: string;
  readonly limit: string;
  readonly minutes: number;
  readonly n: number;
}

interface Sentences {
  readonly unknown: string;
  readonly test: string;
  readonly testSubject: string;
  time(watched: Watched, statistic: 'median' | 'p95', time: SummaryTime): string;
  availability(watched: Watched): string;
  /** Names the filters of the rule. */
  only(names: string): string;
  readonly open: string;
  /** Instead of the link. */
  readonly noLink: string;
}

/** The words of alert messages, in each language. */
export interface AlertWords extends Sentences {
  readonly numbers: Numbers;
  readonly texts: TableTexts;
}

const TIMES_EN: Readonly<Record<SummaryTime, string>> = {
  blocked: 'time blocked in the browser',
  dns: 'DNS lookup',
  tcp: 'TCP connect',
  tls: 'TLS handshake',
  wait: 'wait for the first byte',
  receive: 'receive time',
  ttfb: 'time to first byte',
  ttlb: 'time to last byte',
};

const EN = numberWords('en');
const english: Sentences = {
  unknown: 'unknown',
  test: 'Lastbyte: this is a test. Alerts will arrive here.',
  testSubject: 'Lastbyte: test of alerts',
  time: (watched, statistic, time) => {
    const requests = `${EN.count(watched.n)} ${watched.n === 1 ? 'request' : 'requests'}`;
    return `${subjectEn(watched)}: ${statistic === 'median' ? 'median' : '95th percentile of'} ${TIMES_EN[time]} ${watched.value}, limit ${watched.limit} (${duration(watched.minutes)}, ${requests})`;
  },
  availability: (watched) =>
    `${subjectEn(watched)}: availability ${watched.value}, limit ${watched.limit} (${duration(watched.minutes)}, ${EN.count(watched.n)} probe ${watched.n === 1 ? 'run' : 'runs'})`,
  only: (names) => `Only ${names}.`,
  open: 'Open it in the dashboard',
  noLink: 'For a link to the dashboard, set alerts.dashboardUrl in the settings.',
};

function subjectEn({ rule, status }: Watched): string {
  return status === 'firing' ? rule : `${rule} has recovered`;
}

/** In the genitive. */
const TIMES_DE: Readonly<Record<SummaryTime, string>> = {
  blocked: 'der Wartezeit im Browser',
  dns: 'der Namensauflösung',
  tcp: 'des TCP-Verbindungsaufbaus',
  tls: 'des TLS-Handshakes',
  wait: 'der Wartezeit auf das erste Byte',
  receive: 'der Empfangszeit',
  ttfb: 'der Zeit bis zum ersten Byte',
  ttlb: 'der Zeit bis zum letzten Byte',
};

const DE = numberWords('de');
const german: Sentences = {
  unknown: 'unbekannt',
  test: 'Lastbyte: Dies ist ein Test. Alarme kommen hier an.',
  testSubject: 'Lastbyte: Test der Alarme',
  time: (watched, statistic, time) => {
    const requests = `${DE.count(watched.n)} ${watched.n === 1 ? 'Anfrage' : 'Anfragen'}`;
    return `${subjectDe(watched)}: ${statistic === 'median' ? 'Median' : '95. Perzentil'} ${TIMES_DE[time]} ${watched.value}, Grenze ${watched.limit} (${duration(watched.minutes)}, ${requests})`;
  },
  availability: (watched) =>
    `${subjectDe(watched)}: Verfügbarkeit ${watched.value}, Grenze ${watched.limit} (${duration(watched.minutes)}, ${DE.count(watched.n)} ${watched.n === 1 ? 'Testabruf' : 'Testabrufe'})`,
  only: (names) => `Nur ${names}.`,
  open: 'Im Dashboard öffnen',
  noLink: 'Für einen Link zum Dashboard fehlt alerts.dashboardUrl in den Einstellungen.',
};

function subjectDe({ rule, status }: Watched): string {
  return status === 'firing' ? rule : `${rule} ist wieder in Ordnung`;
}

export function alertWords(language: 'en' | 'de' = 'en'): AlertWords {
  return {
    ...(language === 'de' ? german : english),
    numbers: language === 'de' ? DE : EN,
    texts: pickTexts(language),
  };
}

/** Reads the same in both languages. */
function duration(minutes: number): string {
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
}
