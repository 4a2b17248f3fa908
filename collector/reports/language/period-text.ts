import { hostLabel } from '../../../shared/redact/host-label.ts';
import { NO_APP_NAMES } from '../../../shared/settings/app-names.ts';
import { type AnyDimension, splitFilterName } from '../../../shared/vocabulary/dimensions.ts';
import { dimensionWord } from '../../analysis/text/dimension-word.ts';
import { monthName } from '../../analysis/text/month-name.ts';
import { wallTime, zonedMoment } from '../../analysis/time/zoned-time.ts';
import type { ReportTexts } from './english.ts';

/** A point in time on a zone's clock, as readers of a language write it. */
export function momentText(at: number, zone: string, { date }: ReportTexts, withTime: boolean): string {
  const { year, month, day, hour, minute } = wallTime(at, zone);
  const two = (value: number) => String(value).padStart(2, '0');
  const text = date(String(year), two(month), two(day));
  return withTime ? `${text} ${two(hour)}:${two(minute)}` : text;
}

/** A range in words: whole days by their dates, the last one included; otherwise both ends with their time of day. */
export function periodText(
  { from, to }: { readonly from: number; readonly to: number },
  zone: string,
  texts: ReportTexts,
): string {
  const timed = [from, to].some((at) => {
    const { hour, minute } = wallTime(at, zone);
    return hour !== 0 || minute !== 0 || at % 60_000 !== 0;
  });
  const text = (at: number) => momentText(at, zone, texts, timed);
  return timed ? texts.period(text(from), text(to), zone) : texts.days(text(from), text(to - 1), zone);
}

/** `October 2026`, if the range is that month and nothing else; otherwise null. */
export function monthText(
  { from, to }: { readonly from: number; readonly to: number },
  zone: string,
  { language }: ReportTexts,
): string | null {
  const { year, month } = wallTime(from, zone);
  const isMonth = zonedMoment(zone, year, month, 1) === from && zonedMoment(zone, year, month + 1, 1) === to;
  return isMonth ? monthName(`${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`, language) : null;
}

/** The line below the title of a report: its range, and its filters if there are any. */
export function subtitleText(
  range: { readonly from: number; readonly to: number },
  zone: string,
  filters: string,
  texts: ReportTexts,
): string {
  const period = periodText(range, zone, texts);
  if (filters === '') return period;
  const onlyExclusions = filters.startsWith(`${texts.without} `);
  return `${period}. ${onlyExclusions ? filters.charAt(0).toUpperCase() + filters.slice(1) : texts.only(filters)}`;
}

/** Filters in words, exclusions last: `host erp.example.com, shop.example.com; without type fonts`. Empty if there are none. */
export function filterText(
  filters: Readonly<Record<string, readonly string[] | undefined>>,
  texts: Pick<ReportTexts, 'without' | 'finding' | 'types' | 'connections' | 'monthly'>,
  apps = NO_APP_NAMES,
): string {
  const { without, finding, monthly } = texts;
  const { source, ...others } = filters;
  const onlyUsers = source?.length === 1 && source[0] === 'page';
  const wordOf = (dimension: string, value: string) => {
    if (dimension === 'target') return apps.get(value) ?? value;
    return dimension === 'host' ? hostLabel(value) : dimensionWord(dimension, value, texts);
  };
  const rest = Object.entries(onlyUsers ? others : filters).flatMap(([name, values = []]) => {
    if (values.length === 0) return [];
    const { dimension, excludes } = splitFilterName(name);
    const words = values.map((value) => wordOf(dimension, value)).join(', ');
    return [{ excludes, text: `${finding.dimension(dimension as AnyDimension)} ${words}` }];
  });
  return [
    ...(onlyUsers ? [monthly.users] : []),
    ...rest.filter(({ excludes }) => !excludes).map(({ text }) => text),
    ...rest.filter(({ excludes }) => excludes).map(({ text }) => `${without} ${text}`),
  ].join('; ');
}
