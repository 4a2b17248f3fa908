import { platform } from '../platform.ts';

/** The text in the user's language, from `_locales`. `values` replace `$1`, `$2` … */
export function text(name: string, ...values: (string | number)[]): string {
  return platform.i18n.getMessage(name, values.map(String)) || name;
}

/** The same, or null if there is no such text: for names that come from elsewhere. */
export function knownText(name: string): string | null {
  return platform.i18n.getMessage(name) || null;
}

/** Fills every element with `data-text`, and sets the page's language for screen readers. */
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

/** Only the time if it is today. */
export function moment(at: number, now: number = Date.now()): string {
  const today = new Date(at).toDateString() === new Date(now).toDateString();
  return new Intl.DateTimeFormat(platform.i18n.getUILanguage(), {
    ...(today ? {} : { dateStyle: 'medium' }),
    timeStyle: today ? 'medium' : 'short',
  }).format(at);
}
