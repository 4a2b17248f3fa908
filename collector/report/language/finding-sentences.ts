import { findingOf } from '../../../shared/summary/finding.ts';
import { findingText } from '../../../shared/summary/finding-text.ts';
import type { SummaryCell } from '../../../shared/summary/summary-document.ts';
import type { Language } from '../report-document.ts';
import { germanFinding } from './german-finding.ts';

/** What a group says, one sentence an entry; nothing where nothing was usable. @param tls whether what TLS costs is said */
export function findingSentences(cell: SummaryCell, language: Language, { tls = true } = {}): string[] {
  const found = findingOf(cell);
  if (found === null) return [];
  const finding = tls ? found : { ...found, tls: null, mergedHandshakes: false };
  return language === 'de' ? germanFinding(finding) : findingText(finding);
}
