import { platform } from '../platform.ts';

/** The text in the user's language; `_locales` holds them. Numbers stand for `$1`, `$2` … */
export function text(name: string, ...values: (string | number)[]): string {
  return platform.i18n.getMessage(name, values.map(String)) || name;
}

/** Writes texts into the elements of the same ids, and tells the page's language to screen readers. */
export function writeTexts(names: Readonly<Record<string, string>>): void {
  document.documentElement.lang = platform.i18n.getUILanguage();
  for (const [id, name] of Object.entries(names)) element(id).textContent = text(name);
}

export function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element ${id}.`);
  return found;
}
