import { visibleText } from '../../analysis/text/visible-text.ts';

/** A number and its unit stay together: `1 s`, `46 %`. */
const UNIT = /(?<=\d) (?=(?:ms|s|%|B|KB)(?:[^\p{L}]|$))/gu;
const NO_BREAK = '\u00A0';

/** Lines no wider than `width`, broken between words; a word is broken only if it is longer than a line. */
export function wrapText(text: string, width: number, measure: (text: string) => number = displayWidth): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of wordsOf(text)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (measure(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = measure(word) <= width ? [word] : breakWord(word, width, measure);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? '';
  }
  if (line !== '' || lines.length === 0) lines.push(line);
  return lines;
}

function wordsOf(text: string): string[] {
  const parts = text.replace(UNIT, NO_BREAK).split(/[^\S\u00A0]+/u);
  // Before anything is measured: the replacement of an invisible character has a width.
  return parts.filter((part) => part !== '').map((part) => visibleText(part.replaceAll(NO_BREAK, ' ')));
}

/** After a separator, if that leaves at least half a line; otherwise wherever the line is full. */
function breakWord(word: string, width: number, measure: (text: string) => number): string[] {
  const pieces: string[] = [];
  let rest = [...word];
  while (rest.length > 1 && measure(rest.join('')) > width) {
    let fits = 1;
    while (fits < rest.length && measure(rest.slice(0, fits + 1).join('')) <= width) fits++;
    const good = lastSeparator(rest.slice(0, fits)) + 1;
    const cut = good >= fits / 2 ? good : fits;
    pieces.push(rest.slice(0, cut).join(''));
    rest = rest.slice(cut);
  }
  return [...pieces, rest.join('')];
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]/u;

/** Width in terminal columns: East Asian characters and emoji take two, combining marks none. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const sign of text) width += /\p{Mn}|\p{Cf}/u.test(sign) ? 0 : WIDE.test(sign) ? 2 : 1;
  return width;
}

function lastSeparator(signs: readonly string[]): number {
  for (let i = signs.length - 1; i >= 0; i--) if (/[/.\-_,;:]/.test(signs[i] ?? '')) return i;
  return -1;
}
