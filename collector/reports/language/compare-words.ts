import type { Language } from '../../analysis/text/language.ts';

/** What a comparison of two sides says beside its numbers. */
export interface CompareWords {
  title(time: string): string;
  subtitle(before: string, after: string): string;
  readonly table: string;
  readonly group: string;
  readonly nBefore: string;
  readonly nAfter: string;
  readonly before: string;
  readonly after: string;
  readonly difference: string;
  readonly low: string;
  readonly high: string;
  readonly meanBefore: string;
  readonly meanAfter: string;
  readonly changed: string;
  readonly no: string;
  readonly slower: string;
  readonly faster: string;
  readonly note: string;
  readonly how: string;
  leftOut(groups: number): string;
  beforeHash(hash: string): string;
}

const ENGLISH: CompareWords = {
  title: (time) => `Before and after: ${time}`,
  subtitle: (before, after) => `Before: ${before}. After: ${after}`,
  table: 'Before and after',
  group: 'Group',
  nBefore: 'Requests before',
  nAfter: 'Requests after',
  before: 'Median before',
  after: 'Median after',
  difference: 'Difference',
  low: 'At least',
  high: 'At most',
  meanBefore: 'Average before',
  meanAfter: 'Average after',
  changed: 'More than noise',
  no: 'no',
  slower: 'yes, slower',
  faster: 'yes, faster',
  note: 'At least, at most: the difference of the medians, with 95 % certainty.',
  how: 'Changed is what a bootstrap over browsers tells from chance at 95 %, by at least 5 % and the browsers’ clock step; over requests where browsers are too few, and then it says so.',
  leftOut: (groups) => `${groups} smaller ${groups === 1 ? 'group is' : 'groups are'} left out.`,
  beforeHash: (hash) => `Data of the earlier side: SHA-256 ${hash}.`,
};

const GERMAN: CompareWords = {
  title: (time) => `Vorher und nachher: ${time}`,
  subtitle: (before, after) => `Vorher: ${before}. Nachher: ${after}`,
  table: 'Vorher und nachher',
  group: 'Gruppe',
  nBefore: 'Anfragen vorher',
  nAfter: 'Anfragen nachher',
  before: 'Median vorher',
  after: 'Median nachher',
  difference: 'Unterschied',
  low: 'Mindestens',
  high: 'Höchstens',
  meanBefore: 'Mittelwert vorher',
  meanAfter: 'Mittelwert nachher',
  changed: 'Mehr als Zufall',
  no: 'nein',
  slower: 'ja, langsamer',
  faster: 'ja, schneller',
  note: 'Mindestens, höchstens: der Unterschied der Mediane mit 95 % Sicherheit.',
  how: 'Verändert ist, was ein Bootstrap über Browser mit 95 % vom Zufall trennt, um mindestens 5 % und den Uhrenschritt der Browser; über Anfragen, wo es zu wenige Browser sind, und dann steht es da.',
  leftOut: (groups) => `${groups} ${groups === 1 ? 'kleinere Gruppe fehlt' : 'kleinere Gruppen fehlen'}.`,
  beforeHash: (hash) => `Daten der früheren Seite: SHA-256 ${hash}.`,
};

export function compareWordsOf(language: Language): CompareWords {
  return language === 'de' ? GERMAN : ENGLISH;
}
