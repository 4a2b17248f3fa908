import { visibleText } from '../../analysis/text/visible-text.ts';

/** An HTML comment: nothing is seen of it, and it ends a run of text. */
const SPLIT = '<!-- -->';

/**
 * A text that GitHub's Markdown shows as it is, inside of a line. A template such as `/a/{id}` stays as it is.
 *
 * Addresses become links without any mark (https://github.github.com/gfm/#autolinks-extension-): a backslash keeps `www.` and
 * `http://` from it. Mail addresses, mentions and numbers of issues are looked for in the finished text, where a backslash is
 * gone: there the text is split behind the sign.
 */
export function markdownText(text: string): string {
  return visibleText(text, ' ')
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_~[\]|#$]/g, '\\$&')
    .replace(/:(?=\/\/)/g, '\\:')
    .replace(/www\./gi, (found) => `${found.slice(0, 3)}\\.`)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/@(?=\S)|#(?=\d)/g, `$&${SPLIT}`);
}

/** The same at the beginning of a line, where a dash or a number would begin a list. */
export function markdownLine(text: string): string {
  return markdownText(text)
    .trimStart()
    .replace(/^[-+=]/, '\\$&')
    .replace(/^(\d{1,9})([.)])(?= |$)/, '$1\\$2');
}
