export const MAX_SITE_LENGTH = 100;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Whether a text can label where browsers are. Half of a surrogate pair can't be stored: UTF-8 has no way to write it. */
export function isSiteLabel(site: string): boolean {
  return site.length <= MAX_SITE_LENGTH && !CONTROL.test(site) && site.isWellFormed();
}
