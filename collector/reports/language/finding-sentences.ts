import { findingOf } from '../../analysis/summary/finding.ts';
import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import { findingText } from '../../analysis/text/finding-text.ts';
import type { Language } from '../../analysis/text/language.ts';
import { germanFinding } from './german-finding.ts';

/** What a group says, one sentence an entry; nothing where nothing was usable. @param tls whether what TLS costs is said */
export function findingSentences(cell: SummaryCell, language: Language, { tls = true } = {}): string[] {
  const found = findingOf(cell);
  if (found === null) return [];
  const finding = tls ? found : { ...found, tls: null, mergedHandshakes: false };
  return language === 'de' ? germanFinding(finding) : findingText(finding);
}
