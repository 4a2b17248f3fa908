import type { TimeStatistics } from '../../../shared/statistics/time-statistics.ts';
import type { AnyDimension } from '../../../shared/vocabulary/dimensions.ts';
import type { VerdictWord } from '../../analysis/summary/summary-document.ts';
import { DIMENSION_LABELS } from '../../analysis/text/dimension-labels.ts';
import type { Language } from '../../analysis/text/language.ts';

/** Headings and words of tables of groups. */
export interface SummaryWords {
  readonly title: string;
  readonly all: string;
  readonly groups: string;
  readonly requests: string;
  readonly browsers: string;
  readonly median: string;
  readonly average: string;
  readonly p95: string;
  readonly newShare: string;
  readonly setupPerRequest: string;
  readonly setupPerConnection: string;
  readonly tlsPerRequest: string;
  readonly tlsPerConnection: string;
  readonly waitMedian: string;
  readonly waitAverage: string;
  readonly verdict: string;
  readonly doubt: string;
  readonly none: string;
  readonly perRequestNote: string;
  readonly perConnectionNote: string;
  readonly doubtNote: string;
  fewNote(groups: number, minN: number): string;
  tooFew(minN: number): string;
  readonly verdicts: Readonly<Record<VerdictWord, string>>;
  readonly doubts: Readonly<Record<TimeStatistics['keepMeasuring'][number], string>>;
  readonly dimensions: Readonly<Record<AnyDimension, string>>;
}

const ENGLISH: SummaryWords = {
  title: 'Summary: how long users wait, group by group',
  all: 'All requests',
  groups: 'Groups',
  requests: 'Requests',
  browsers: 'Browsers',
  median: 'Median',
  average: 'Average',
  p95: 'p95',
  newShare: 'New conn.',
  setupPerRequest: 'Set-up per request',
  setupPerConnection: 'Set-up per conn.',
  tlsPerRequest: 'TLS per request',
  tlsPerConnection: 'TLS per conn.',
  waitMedian: 'Wait, median',
  waitAverage: 'Wait, average',
  verdict: 'Verdict',
  doubt: 'Keep measuring',
  none: '(none)',
  perRequestNote:
    'Per request: over all network requests, a reused connection counting 0. It is an average, as most requests pay nothing.',
  perConnectionNote: 'Per connection: over new connections only, what one costs when it is made.',
  doubtNote:
    'New conn.: part of the requests that pay a new connection. Keep measuring: few: fewer than 30 requests; spread: quartiles further apart than half the median; interval: the median is not known to 10 %.',
  fewNote: (groups, minN) =>
    `${groups} ${groups === 1 ? 'group has' : 'groups have'} fewer than ${minN} requests: too few for a fact, so only their number stands here.`,
  tooFew: (minN) => `fewer than ${minN}`,
  verdicts: {
    tls: 'TLS',
    network: 'network',
    server: 'server',
    download: 'download',
    client: 'browser',
    unknown: 'unknown',
  },
  doubts: { few_samples: 'few', wide_quartiles: 'spread', wide_interval: 'interval' },
  dimensions: DIMENSION_LABELS,
};

const GERMAN: SummaryWords = {
  title: 'Übersicht: wie lange Nutzer warten, Gruppe für Gruppe',
  all: 'Alle Anfragen',
  groups: 'Gruppen',
  requests: 'Anfragen',
  browsers: 'Browser',
  median: 'Median',
  average: 'Mittelwert',
  p95: 'p95',
  newShare: 'Neue Verb.',
  setupPerRequest: 'Aufbau je Anfrage',
  setupPerConnection: 'Aufbau je Verb.',
  tlsPerRequest: 'TLS je Anfrage',
  tlsPerConnection: 'TLS je Verb.',
  waitMedian: 'Warten, Median',
  waitAverage: 'Warten, Mittelwert',
  verdict: 'Urteil',
  doubt: 'Weiter messen',
  none: '(keine)',
  perRequestNote:
    'Je Anfrage: über alle Anfragen im Netz, eine bestehende Verbindung zählt 0. Es ist ein Mittelwert, da die meisten Anfragen nichts zahlen.',
  perConnectionNote: 'Je Verbindung: nur über neue Verbindungen, was eine kostet, wenn sie aufgebaut wird.',
  doubtNote:
    'Neue Verb.: Anteil der Anfragen, die eine neue Verbindung zahlen. Weiter messen: wenige: unter 30 Anfragen; Streuung: Quartile weiter auseinander als der halbe Median; Intervall: der Median ist nicht auf 10 % bekannt.',
  fewNote: (groups, minN) =>
    `${groups} ${groups === 1 ? 'Gruppe hat' : 'Gruppen haben'} weniger als ${minN} Anfragen: zu wenige für eine Tatsache, daher steht hier nur ihre Anzahl.`,
  tooFew: (minN) => `unter ${minN}`,
  verdicts: {
    tls: 'TLS',
    network: 'Netz',
    server: 'Server',
    download: 'Download',
    client: 'Browser',
    unknown: 'offen',
  },
  doubts: { few_samples: 'wenige', wide_quartiles: 'Streuung', wide_interval: 'Intervall' },
  dimensions: {
    host: 'Host',
    type: 'Typ',
    connection: 'Verbindung',
    protocol: 'Protokoll',
    scheme: 'Schema',
    scenario: 'Szenario',
    handshake: 'Handshake',
    source: 'Quelle',
    site: 'Standort',
    target: 'Ziel',
    template: 'Seite',
    browser: 'Browser',
    browserVersion: 'Browser-Version',
    extension: 'Erweiterung',
  },
};

export function summaryWordsOf(language: Language): SummaryWords {
  return language === 'de' ? GERMAN : ENGLISH;
}
