import type { Language } from '../analysis/text/language.ts';

/** The charts' own words, longest first, so that no word is taken for a part of another. */
const GERMAN: readonly (readonly [string, string])[] = [
  ['Connection set-up', 'Verbindungsaufbau'],
  ['Ordinary spread', 'Übrige Streuung'],
  ['Not attributed', 'Nicht zugeordnet'],
  ['Slowest 1 %', 'Langsamstes 1 %'],
  ['service worker', 'Service Worker'],
  ['new connection', 'neue Verbindung'],
  ['reused connection', 'bestehende Verbindung'],
  ['from cache', 'aus dem Cache'],
  ['per request', 'je Anfrage'],
  ['per conn.', 'je Verb.'],
  ['Average', 'Mittelwert'],
  ['average', 'Mittelwert'],
  ['Median', 'Median'],
  ['median', 'Median'],
  ['Blocked', 'Blockiert'],
  ['Wait', 'Warten'],
  ['Receive', 'Empfang'],
  ['probes', 'Proben'],
  ['plain HTTP has no TLS', 'HTTP ohne TLS'],
  ['HTTP/3 sets up transport and TLS in one exchange', 'HTTP/3 baut beides gemeinsam auf'],
].sort(([a = ''], [b = '']) => b.length - a.length) as [string, string][];

const WORDS = new Map(GERMAN);
const PATTERN = new RegExp(GERMAN.map(([word]) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|'), 'g');

/** A chart's label in the language of the report: its words, and the signs in its numbers. */
export function translateChart(label: string, language: Language): string {
  if (language === 'en') return label;
  const day = /^(\d\d)-(\d\d)$/.exec(label);
  if (day !== null) return `${day[2]}.${day[1]}.`;
  return label
    .replace(PATTERN, (word) => WORDS.get(word) ?? word)
    .replace(/\d[\d,]*(?:\.\d+)?/g, (number) => number.replace(/[.,]/g, (sign) => (sign === '.' ? ',' : '.')));
}
