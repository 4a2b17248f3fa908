/** `2026-10` as `October 2026`. */
export function monthName(month: string, locale: 'en' | 'de'): string {
  const format = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return format.format(Date.parse(`${month}-01T00:00:00Z`));
}
