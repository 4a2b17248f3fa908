import type { Language } from '../../analysis/text/language.ts';
import { ENGLISH } from './english.ts';
import { GERMAN } from './german.ts';

/** The sentences that every report has in common, whatever its view. */
export interface Words {
  readonly nothing: string;
  /** What is said, and what can be done. */
  readonly empty: Readonly<Record<'requests' | 'probes', readonly string[]>>;
  readonly figures: string;
  readonly tables: string;
  readonly notes: string;
  readonly method: string;
  readonly rules: string;
  moreRows(left: number): string;
  madeAt(time: string): string;
  page(page: number, pages: number): string;
  period(from: string, to: string, zone: string): string;
  only(filters: string): string;
  readonly terms: Readonly<Record<MethodTerm, string>>;
  exact: string;
  sketched(bound: string): string;
  hash(hash: string): string;
}

export type MethodTerm =
  | 'range'
  | 'before'
  | 'filters'
  | 'noFilters'
  | 'samples'
  | 'leftOut'
  | 'nothingLeftOut'
  | 'precision'
  | 'versions'
  | 'settings'
  | 'hash'
  | 'command'
  | 'folded'
  | 'accounting';

export function wordsOf(language: Language): Words {
  return language === 'de' ? GERMAN : ENGLISH;
}
