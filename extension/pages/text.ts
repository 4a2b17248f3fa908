import { platform } from '../platform.ts';

/** The text in the user's language; `_locales` holds them. Numbers stand for `$1`, `$2` … */
export function text(name: string, ...values: (string | number)[]): string {
  return platform.i18n.getMessage(name, values.map(String)) || name;
}

/** The same, or null where there is none of this name: for words that come from elsewhere. */
export function knownText(name: string): string | null {
  return platform.i18n.getMessage(name) || null;
}

/** Fills every element that names its text in `data-text`, and tells screen readers the page's language. */
export function writeTexts(): void {
  document.documentElement.lang = platform.i18n.getUILanguage();
  for (const named of document.querySelectorAll<HTMLElement>('[data-text]')) {
    named.textContent = text(named.dataset.text ?? '');
  }
}

/** Such as `83 ms`, `4.2 ms` or `1.4 s`. */
export function duration(ms: number): string {
  const [value, unit, digits] = ms >= 1000 ? [ms / 1000, 'second', 1] : [ms, 'millisecond', ms < 10 ? 1 : 0];
  return new Intl.NumberFormat(platform.i18n.getUILanguage(), {
    style: 'unit',
    unit,
    maximumFractionDigits: digits,
  }).format(value);
}

export function count(value: number): string {
  return new Intl.NumberFormat(platform.i18n.getUILanguage()).format(value);
}

/** The time alone where it is today's. */
export function moment(at: number, now: number = Date.now()): string {
  const today = new Date(at).toDateString() === new Date(now).toDateString();
  return new Intl.DateTimeFormat(platform.i18n.getUILanguage(), {
    ...(today ? {} : { dateStyle: 'medium' }),
    timeStyle: today ? 'medium' : 'short',
  }).format(at);
}
