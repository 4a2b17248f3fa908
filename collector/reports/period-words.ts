import type { Language } from '../analysis/text/language.ts';
import { wallTime } from '../analysis/time/zoned-time.ts';
import { wordsOf } from './language/words.ts';

/** A moment as the readers of a language write it, on a zone's clock: the time of day only where it is not midnight. */
export function momentText(at: number, zone: string, language: Language, withTime: boolean): string {
  const { year, month, day, hour, minute } = wallTime(at, zone);
  const two = (value: number) => String(value).padStart(2, '0');
  const date = language === 'de' ? `${two(day)}.${two(month)}.${year}` : `${year}-${two(month)}-${two(day)}`;
  return withTime ? `${date} ${two(hour)}:${two(minute)}` : date;
}

/** A range in words; both ends with their time of day if one of them is not midnight. */
export function periodText(
  { from, to }: { readonly from: number; readonly to: number },
  zone: string,
  language: Language,
): string {
  const timed = [from, to].some((at) => {
    const { hour, minute } = wallTime(at, zone);
    return hour !== 0 || minute !== 0 || at % 60_000 !== 0;
  });
  return wordsOf(language).period(momentText(from, zone, language, timed), momentText(to, zone, language, timed), zone);
}
