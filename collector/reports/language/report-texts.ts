import type { Language } from '../../analysis/text/language.ts';
import { ENGLISH_REPORT, type ReportTexts } from './english.ts';
import { GERMAN_REPORT } from './german.ts';

export function pickReportTexts(language: Language): ReportTexts {
  return language === 'de' ? GERMAN_REPORT : ENGLISH_REPORT;
}
