import type { Language } from '../analysis/text/language.ts';
import { wordsOf } from './language/words.ts';
import type { Section } from './report-document.ts';

/** What a report says of a range in which nothing was measured, or nothing of what it is about. */
export function emptySection(language: Language, about: 'requests' | 'probes' = 'requests'): Section {
  const { empty, figures } = wordsOf(language);
  return { title: figures, blocks: empty[about].map((text) => ({ kind: 'text', text })) };
}
