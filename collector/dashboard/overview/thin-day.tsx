import type { SummaryDocument } from '../../analysis/summary/summary-document.ts';
import { usePage } from '../app/page-context.ts';
import { RouteLink } from '../components/route-link.tsx';
import { viewKey, viewQuery } from '../model/summary-queries.ts';
import { areFirstNumbers, isThinDay, MANY_SAMPLES } from '../model/thin-day.ts';
import { useQuery } from '../query-cache/use-query.ts';
import { DEFAULT_PRESET } from '../state/time-range.ts';
import type { ViewState } from '../state/view-state.ts';
import { t } from '../text/t.ts';

const WEEK: ViewState['range'] = { preset: '7d' };

/** Says that a day has few samples, and offers its week: on a Sunday, or for an app that few people use. */
export function ThinDay({ samples }: { readonly samples: number }) {
  const { state, client, role, now } = usePage();
  const asked = 'preset' in state.range && state.range.preset === DEFAULT_PRESET && samples < MANY_SAMPLES;
  const week = { ...state, range: WEEK };
  const { state: query } = useQuery<number>({
    key: `samples of the week ${viewKey(week)}`,
    read: async (signal) => {
      const { cells } = await client.read<SummaryDocument>(
        `/summary?${viewQuery(week, now(), { by: ['source'] })}`,
        signal,
      );
      return cells.reduce((sum, cell) => sum + cell.samples, 0);
    },
    waits: !asked,
  });
  if (!asked || query.last === null) return null;
  if (areFirstNumbers(samples, query.last.value)) {
    return (
      <p class="hint" data-hint="first-numbers">
        {`${t.overview.thinDay.first(samples)} `}
        {role === 'admin' ? <a href="install">{t.overview.thinDay.install}</a> : null}
      </p>
    );
  }
  if (!isThinDay(samples, query.last.value)) return null;
  return (
    <p class="hint" data-hint="thin-day">
      {`${t.overview.thinDay.sentence(samples, query.last.value)} `}
      <RouteLink to={week}>{t.overview.thinDay.showWeek}</RouteLink>
    </p>
  );
}
