import { hostLabel } from '../../../shared/redact/host-label.ts';
import { NO_APP_NAMES } from '../../../shared/settings/app-names.ts';
import { splitFilterName } from '../../../shared/vocabulary/dimensions.ts';
import { wallTime } from '../../analysis/time/zoned-time.ts';
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

/**
 * Filters in words, exclusions last: `host erp.example.com, shop.example.com; without type font`. Empty if there are none.
 * @param users words for the filter that leaves probes out
 */
export function filterText(
  filters: Readonly<Record<string, readonly string[] | undefined>>,
  { without }: Pick<ReportTexts, 'without'>,
  apps = NO_APP_NAMES,
  users: string | null = null,
): string {
  const { source, ...others } = filters;
  const named = users !== null && source?.length === 1 && source[0] === 'page';
  const rest = Object.entries(named ? others : filters)
    .filter(([, values]) => values !== undefined && values.length > 0)
    .map(([name, values = []]) => {
      const { dimension, excludes } = splitFilterName(name);
      return dimension === 'target'
        ? { dimension: 'app', excludes, values: values.map((id) => apps.get(id) ?? id).join(', ') }
        : { dimension, excludes, values: values.map(dimension === 'host' ? hostLabel : String).join(', ') };
    });
  const included = rest.filter(({ excludes }) => !excludes).map(({ dimension, values }) => `${dimension} ${values}`);
  const excluded = rest
    .filter(({ excludes }) => excludes)
    .map(({ dimension, values }) => `${without} ${dimension} ${values}`);
  return [...(named ? [users] : []), ...included, ...excluded].join('; ');
}
