/**
 * Characters that change what is seen without being seen: C0 and C1 controls, lone surrogates, directional marks and overrides,
 * zero-width characters and line breaks (https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing). Joiners and soft
 * hyphens are legitimate. As the inside of a character class with the flag `u`, which JSON Schema uses too.
 */
export const UNSEEN =
  '\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}';

/** What people may name something, as the `pattern` of a schema. Earlier versions accepted more, which stays readable. */
export const PLAIN_TEXT = `^[^${UNSEEN}]*$`;
/** The same with something to read, and without spaces around it. */
export const PLAIN_NAME = `^(?!\\s)[^${UNSEEN}]+(?<!\\s)$`;

/** Why a text is neither, in words for people. */
export const UNSEEN_FAULT = 'has a character that cannot be seen, such as a control character or a change of direction';
export const UNSEEN_HINT = 'Type it again instead of pasting it.';

const ANY_UNSEEN = new RegExp(`[${UNSEEN}]`, 'u');

export function isPlainText(text: string): boolean {
  return !ANY_UNSEEN.test(text);
}
