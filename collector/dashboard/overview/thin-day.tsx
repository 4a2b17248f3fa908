import type { SummaryDocument } from '../../analysis/summary/summary-document.ts';
import { usePage } from '../app/page-context.ts';
import { RouteLink } from '../components/route-link.tsx';
import { usersQuery, viewKey } from '../model/summary-queries.ts';
import { useQuery } from '../query-cache/use-query.ts';
import { DEFAULT_PRESET, resolveRange } from '../state/time-range.ts';
import { toView, type ViewState, withOwn } from '../state/view-state.ts';
import { t } from '../text/t.ts';

/** A day with more samples is never thin, so that the week need not be read. */
export const MANY_SAMPLES = 10_000;
export const FEW_SAMPLES = 200;
/** Of an average day of the week. */
const SMALL_SHARE = 0.05;
const DAYS = 7;

const WEEK: ViewState['range'] = { preset: '7d' };

/** Says that a day has few samples, and offers its week: on a Sunday, or for an app that few people use. */
export function ThinDay({ samples }: { readonly samples: number }) {
  const { state, client, role, now } = usePage();
  const asked = 'preset' in state.range && state.range.preset === DEFAULT_PRESET && samples < MANY_SAMPLES;
  const week = { ...state, range: WEEK };
  const { state: query } = useQuery<number>({
    // Only what was before the day, since more may have been measured since its samples were counted.
    key: `samples before the day ${viewKey(week)}`,
    read: async (signal) => {
      const at = now();
      const before = { from: resolveRange(WEEK, at).from, to: resolveRange(state.range, at).from };
      const { cells } = await client.read<SummaryDocument>(
        `/summary?${usersQuery({ ...state, range: before }, at, { by: ['source'] })}`,
        signal,
      );
      return cells.reduce((sum, cell) => sum + cell.samples, 0);
    },
    waits: !asked,
  });
  if (!asked || query.last === null) return null;
  const before = query.last.value;
  if (areFirstNumbers(samples, before)) {
    return (
      <p class="hint" data-hint="first-numbers">
        {`${t.overview.thinDay.first(samples)} `}
        {role === 'admin' ? (
          <RouteLink to={withOwn(toView(state, 'settings'), { part: 'keys' })}>{t.overview.thinDay.install}</RouteLink>
        ) : null}
      </p>
    );
  }
  if (!isThinDay(samples, before)) return null;
  return (
    <p class="hint" data-hint="thin-day">
      {`${t.overview.thinDay.sentence(samples, samples + before)} `}
      <RouteLink to={week}>{t.overview.thinDay.showWeek}</RouteLink>
    </p>
  );
}

/** @param before samples of the six days before */
export function areFirstNumbers(ofDay: number, before: number): boolean {
  return before === 0 && ofDay < FEW_SAMPLES;
}

/** Whether a day has too few samples to speak for the week that it ends. @param before samples of the six days before */
export function isThinDay(ofDay: number, before: number): boolean {
  return before > 0 && (ofDay < FEW_SAMPLES || ofDay < (SMALL_SHARE * (ofDay + before)) / DAYS);
}
