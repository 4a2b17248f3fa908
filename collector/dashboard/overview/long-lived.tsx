import { type AskedDimension, isFewBrowsers } from '../../../shared/vocabulary/dimensions.ts';
import { LONG_LIVED } from '../../../shared/vocabulary/vocabulary.ts';
import type { SummaryDocument } from '../../analysis/summary/summary-document.ts';
import { ApiError } from '../api/api-error.ts';
import { usePage } from '../app/page-context.ts';
import { RouteLink } from '../components/route-link.tsx';
import { usersQuery, viewKey } from '../model/summary-queries.ts';
import { valueLabel } from '../model/value-label.ts';
import { useQuery } from '../query-cache/use-query.ts';
import { t } from '../text/t.ts';

/** Paths that are named. */
const NAMED = 3;

interface LeftOut {
  readonly requests: number;
  /** Of paths, or of hosts where samples are no longer kept: only those know paths. */
  readonly names: readonly string[];
  /** Paths or hosts that are not named. */
  readonly more: number;
}

/** Says what is in no number because it is kept open by design, and shows it in one click. */
export function LongLived() {
  const { state, client, now } = usePage();
  const filters = { ...state.filters, type: [LONG_LIVED] };
  const named = state.filters.type !== undefined;
  const { state: query } = useQuery<LeftOut>({
    key: `long-lived ${viewKey(state)}`,
    async read(signal) {
      const ask = (by: readonly AskedDimension[]) =>
        client.read<SummaryDocument>(
          `/summary?${usersQuery(state, now(), { by, filters: { type: filters.type } })}&top=${NAMED}`,
          signal,
        );
      const ofHosts = await ask(['host']);
      const requests = ofHosts.cells.reduce((sum, cell) => sum + cell.samples, ofHosts.leftOut?.samples ?? 0);
      // Paths take reading every sample: not where there are none.
      const ofPaths = requests === 0 ? null : await ask(['host', 'template']).catch(nullIfExpired);
      const { cells, leftOut } = ofPaths ?? ofHosts;
      return {
        requests,
        names: cells.flatMap((cell) =>
          isFewBrowsers(cell) ? [] : [`${valueLabel('host', cell.host, null)}${cell.template ?? ''}`],
        ),
        more: leftOut?.cells ?? 0,
      };
    },
    waits: named,
  });
  if (named || query.last === null || query.last.value.requests === 0) return null;
  return (
    <p class="hint" data-hint="long-lived">
      {`${t.overview.longLived.sentence(query.last.value)} `}
      <RouteLink to={{ ...state, filters, own: { ...state.own, group: 'template' } }}>
        {t.overview.longLived.show}
      </RouteLink>
    </p>
  );
}

function nullIfExpired(error: unknown): null {
  if (error instanceof ApiError && error.code === 'samples_expired') return null;
  throw error;
}
