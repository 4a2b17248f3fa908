import { ENGLISH_TABLES, type TableTexts } from './english-tables.ts';
import { GERMAN_TABLES } from './german-tables.ts';
import type { Language } from './language.ts';

/** All words of the views, charts and findings. The dashboard imports `ENGLISH` itself and so is not given the rest. */
export function textsOf(language: Language): TableTexts {
  return language === 'de' ? GERMAN_TABLES : ENGLISH_TABLES;
}
