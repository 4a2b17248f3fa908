import type { AlertMessage } from './alert-memory.ts';
import { alertWords } from './alert-words.ts';

/** A message as mail, as plain text and as HTML that says the same. */
export interface AlertLetter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export function alertMail({ subject, text: said, link }: AlertMessage, language: 'en' | 'de' = 'en'): AlertLetter {
  const words = alertWords(language);
  // It has a line of its own here.
  const text = link != null && said.endsWith(` ${link}`) ? said.slice(0, -link.length - 1) : said;
  const after = link == null ? words.noLink : `${words.open}: ${link}`;
  const anchor = link == null ? escaped(words.noLink) : `<a href="${escaped(link)}">${escaped(words.open)}</a>`;
  return {
    subject: subject ?? text,
    text: `${text}\n\n${after}\n`,
    html: `<!doctype html><html lang="${language}"><body><p>${escaped(text)}</p><p>${anchor}</p></body></html>`,
  };
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Hosts and sites come from other people's pages. */
function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
