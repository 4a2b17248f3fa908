import { ENGLISH_TABLES, type TableTexts } from './english-tables.ts';
import { GERMAN_TABLES } from './german-tables.ts';
import type { Language } from './language.ts';

/** The words of views, charts and findings. The dashboard imports `ENGLISH` directly, so its bundle has only that. */
export function pickTexts(language: Language): TableTexts {
  return language === 'de' ? GERMAN_TABLES : ENGLISH_TABLES;
}
