/**
 * What is not seen and changes what is: controls, halves of surrogate pairs, and the signs of direction, of no width and of
 * line ends (https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing). Joiners and soft hyphens belong to writing.
 */
const UNSEEN =
  /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** A host name is what somebody's page said: it neither steers a terminal nor reads other than it is. */
export function visibleText(text: string, instead = '\ufffd'): string {
  return text.replace(UNSEEN, instead);
}
