import { t } from './t.ts';

type Options = Intl.DateTimeFormatOptions;

const DAY: Options = { day: 'numeric', month: 'short' };
const MINUTE_MS = 60_000;

let formats: ReturnType<typeof makeFormats> | null = null;

/** In the page's language and the reader's region; 12 hours only if both the reader and the language use them. */
function makeFormats() {
  const wanted = typeof navigator === 'undefined' ? [] : (navigator.languages ?? []);
  const locale = wanted.find((tag) => tag.split('-')[0] === t.language) ?? t.language;
  const clocks = [undefined, locale].map(
    (tag) => new Intl.DateTimeFormat(tag, { hour: 'numeric' }).resolvedOptions().hourCycle,
  );
  const hourCycle = clocks.find((cycle) => cycle === 'h23') ?? clocks[0];
  const whole = hourCycle === 'h23' || hourCycle === 'h24';
  const clock = hourCycle === undefined ? {} : { hourCycle };
  const clockTime: Options = { hour: whole ? '2-digit' : 'numeric', minute: '2-digit' };
  const make = (options: Options) => new Intl.DateTimeFormat(locale, { ...options, ...clock });
  return {
    time: make(clockTime),
    exact: make({ ...clockTime, second: '2-digit' }),
    day: make(DAY),
    moment: make({ ...DAY, ...clockTime, year: 'numeric' }),
    date: make({ ...DAY, year: 'numeric' }),
  };
}

function known() {
  formats ??= makeFormats();
  return formats;
}

/** `1 Mar 2026, 09:05`, local time. */
export function formatMoment(at: number): string {
  return known().moment.format(at);
}

/** `1 Mar 2026, 09:00 – 11:00`; whole days by their dates, the last one included: `1 – 7 Mar 2026`. */
export function formatPeriod(from: number, to: number): string {
  const { moment, date } = known();
  return startsDay(from) && startsDay(to) ? date.formatRange(from, to - 1) : moment.formatRange(from, to);
}

/** `09:05` */
export function formatTime(at: number): string {
  return known().time.format(at);
}

/** `1 Mar, 09:05:30` */
export function formatExactly(at: number): string {
  return `${known().day.format(at)}, ${known().exact.format(at)}`;
}

/** `1 Mar` */
export function formatDay(at: number): string {
  return known().day.format(at);
}

/** `1 Mar, 09:00 – 09:15`; whole days without their times. */
export function formatSpan(from: number, to: number): string {
  const { day, time } = known();
  const starts = day.format(from);
  if (startsDay(from) && startsDay(to)) {
    const last = day.format(to - 1);
    return last === starts ? starts : `${starts} – ${last}`;
  }
  const ends = day.format(to);
  return `${starts}, ${time.format(from)} – ${ends === starts ? '' : `${ends}, `}${time.format(to)}`;
}

export function startsDay(at: number): boolean {
  const date = new Date(at);
  return date.getHours() === 0 && at % MINUTE_MS === 0 && date.getMinutes() === 0;
}
