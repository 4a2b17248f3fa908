import type { SummaryDocument } from '../../analysis/summary/summary-document.ts';
import { httpsCostLines } from '../../analysis/text/https-cost-text.ts';
import { usePage } from '../app/page-context.ts';
import { useAppNames } from '../app/use-app-names.ts';
import { groupingLimits } from '../model/groupings.ts';
import { topQuery, usersQuery, viewKey } from '../model/summary-queries.ts';
import { useQuery } from '../query-cache/use-query.ts';
import { HTTPS_COST } from '../text/https-cost.ts';

/** The others are behind a click. */
const SHOWN = 4;

/** What HTTPS costs the users of each app. */
export function HttpsCosts() {
  const { state, client, now } = usePage();
  const names = useAppNames();
  const { state: query } = useQuery<SummaryDocument>({
    key: `https costs ${viewKey(state)}`,
    read: (signal) =>
      client.read(
        `/summary?${usersQuery(state, now(), { by: ['target'] })}&include=httpsCost${topQuery(groupingLimits('target')?.groups)}`,
        signal,
      ),
  });
  if (query.last === null || names === null) return null;
  const lines = httpsCostLines(query.last.value.cells, HTTPS_COST, names).map((line) => <li key={line}>{line}</li>);
  if (lines.length === 0) return null;
  return (
    <section class="https-costs hint" aria-label={HTTPS_COST.title}>
      <ul>{lines.slice(0, SHOWN)}</ul>
      {lines.length <= SHOWN ? null : (
        <details>
          <summary>{HTTPS_COST.all(lines.length)}</summary>
          <ul>{lines.slice(SHOWN)}</ul>
        </details>
      )}
    </section>
  );
}
