import { wordsOf } from './language/words.ts';
import type { Language, Section } from './report-document.ts';

/** What a report says of a range in which nothing was measured. */
export function emptySection(language: Language): Section {
  const { empty, emptyHint, figures } = wordsOf(language);
  return {
    title: figures,
    blocks: [
      { kind: 'text', text: empty },
      { kind: 'text', text: emptyHint },
    ],
  };
}
