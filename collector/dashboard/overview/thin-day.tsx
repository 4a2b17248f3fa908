import type { SummaryDocument } from '../../analysis/summary/summary-document.ts';
import { usePage } from '../app/page-context.ts';
import { RouteLink } from '../components/route-link.tsx';
import { viewKey, viewQuery } from '../model/summary-queries.ts';
import { isThinDay, MANY_SAMPLES } from '../model/thin-day.ts';
import { useQuery } from '../query-cache/use-query.ts';
import { DEFAULT_PRESET } from '../state/time-range.ts';
import type { ViewState } from '../state/view-state.ts';
import { t } from '../text/t.ts';

const WEEK: ViewState['range'] = { preset: '7d' };

/** Offers the week where its last day has few samples: a Sunday, or an app that few people use. */
export function ThinDay({ samples }: { readonly samples: number }) {
  const { state, client, now } = usePage();
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
  if (!asked || query.last === null || !isThinDay(samples, query.last.value)) return null;
  return (
    <p class="hint" data-hint="thin-day">
      {`${t.overview.thinDay.sentence(samples, query.last.value)} `}
      <RouteLink to={week}>{t.overview.thinDay.showWeek}</RouteLink>
    </p>
  );
}
