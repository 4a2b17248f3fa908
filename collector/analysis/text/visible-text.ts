/**
 * Invisible characters that change what is seen: control characters, lone surrogates, directional marks, zero-width
 * characters and line breaks (https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing). Joiners and soft
 * hyphens are legitimate.
 */
const UNSEEN =
  /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Names come from third-party pages: they must not control a terminal or look like other names. */
export function visibleText(text: string, instead = '\ufffd'): string {
  return text.replace(UNSEEN, instead);
}
