import type { Language } from '../../analysis/text/language.ts';
import { GERMAN_CELLS, GERMAN_TABLES } from './german-tables.ts';

interface Pattern {
  readonly matches: RegExp;
  readonly german: string;
}

const EXACT = new Map(GERMAN_TABLES.filter(([english]) => !english.includes('{}')));
const PATTERNS: readonly Pattern[] = GERMAN_TABLES.filter(([english]) => english.includes('{}')).map(
  ([english, german]) => ({
    matches: new RegExp(`^${english.split('{}').map(literal).join('(.+?)')}$`, 'u'),
    german,
  }),
);

/** Titles, headings, notes and rules in the language of a report; null where there is no translation. */
export function translated(text: string, language: Language): string | null {
  if (language === 'en') return text;
  const exact = EXACT.get(text);
  if (exact !== undefined) return exact;
  for (const { matches, german } of PATTERNS) {
    const found = matches.exec(text);
    if (found === null) continue;
    const parts = found.slice(1);
    return german.replace(/\{\}/g, () => carriedOver(parts.shift() ?? '', language));
  }
  return null;
}

/** The same, as it is where nobody has translated it: an English sentence is better than none. */
export function translate(text: string, language: Language): string {
  return translated(text, language) ?? text;
}

/** A word in a cell that is ours and no name: anything else passes through. */
export function translateCell(text: string, language: Language): string {
  if (language === 'en') return text;
  return Object.hasOwn(GERMAN_CELLS, text) ? (GERMAN_CELLS[text] ?? text) : text;
}

function carriedOver(text: string, language: Language): string {
  const known = translated(text, language);
  if (known !== null) return known;
  return /^\d+\.\d+$/.test(text) ? text.replace('.', ',') : text;
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
