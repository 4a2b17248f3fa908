import type { SummaryTime } from '../../../shared/vocabulary/time-names.ts';
import type { TableTexts } from '../../analysis/text/english-tables.ts';
import { type Numbers, numberWords } from '../../analysis/text/numbers.ts';
import { pickTexts } from '../../analysis/text/texts.ts';

type Status = 'firing' | 'recovered';

/** The values in the sentence of a rule. */
export interface Watched {
  readonly rule: string;
  readonly status: Status;
  /** What the rule is limited to: `Order system, documents`; '' for everything. */
  readonly about: string;
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
  /** Whose availability counts where a rule watches several. */
  readonly worstJourney: string;
  readonly worstSite: string;
  moreFailed(n: number): string;
  /** Names the host that users waited for longest. */
  longest(host: string): string;
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
    const what = `${statistic === 'median' ? 'median' : '95th percentile of'} ${TIMES_EN[time]}`;
    return sentenceEn(watched, what, requests);
  },
  availability: (watched) =>
    sentenceEn(watched, 'availability', `${EN.count(watched.n)} probe ${watched.n === 1 ? 'run' : 'runs'}`),
  worstJourney: 'the worst journey',
  worstSite: 'the worst site',
  moreFailed: (n) => `${EN.count(n)} more failed.`,
  longest: (host) => `Users waited longest for ${host}.`,
  open: 'Open it in the dashboard',
  noLink: 'For a link to the dashboard, set alerts.dashboardUrl in the settings.',
};

function sentenceEn({ rule, status, about, value, limit, minutes }: Watched, what: string, n: string): string {
  const subject = status === 'firing' ? rule : `${rule} has recovered`;
  const place = about === '' ? '' : ` for ${about}`;
  return `${subject}: the ${what}${place} was ${value} over the last ${duration(minutes)}, the limit is ${limit} (${n})`;
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
    return sentenceDe(
      watched,
      `${statistic === 'median' ? 'der Median' : 'das 95. Perzentil'} ${TIMES_DE[time]}`,
      requests,
    );
  },
  availability: (watched) =>
    sentenceDe(watched, 'die Verfügbarkeit', `${DE.count(watched.n)} ${watched.n === 1 ? 'Testabruf' : 'Testabrufe'}`),
  worstJourney: 'den schlechtesten Ablauf',
  worstSite: 'den schlechtesten Standort',
  moreFailed: (n) => `Fehlgeschlagen außerdem: ${DE.count(n)}.`,
  longest: (host) => `Am längsten warteten die Nutzer auf ${host}.`,
  open: 'Im Dashboard öffnen',
  noLink: 'Für einen Link zum Dashboard fehlt alerts.dashboardUrl in den Einstellungen.',
};

function sentenceDe({ rule, status, about, value, limit, minutes }: Watched, what: string, n: string): string {
  const subject = status === 'firing' ? rule : `${rule} ist wieder in Ordnung`;
  const place = about === '' ? '' : ` für ${about}`;
  return `${subject}: In den letzten ${duration(minutes)} lag ${what}${place} bei ${value}, die Grenze liegt bei ${limit} (${n})`;
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
