// biome-ignore-all lint/a11y/noRedundantRoles: laid out as cards, a table loses its implicit roles
import { NO_APP_NAMES } from '../../../shared/settings/app-names.ts';
import { toFinding } from '../../analysis/summary/finding.ts';
import { findingText } from '../../analysis/text/finding-text.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import { describeConnections } from '../../charts/connection-shares.ts';
import { useAppNames } from '../app/use-app-names.ts';
import type { OverviewRow } from '../model/overview-row.ts';
import { formatCount, formatMs } from '../text/format.ts';
import { t } from '../text/t.ts';

interface RowDetailProps {
  readonly row: OverviewRow;
  readonly columnCount: number;
  readonly id: string;
}

/** A row's numbers explained: the finding, the caveats, and the reason for every dash. */
export function RowDetail({ row, columnCount, id }: RowDetailProps) {
  const finding = toFinding(row.cell);
  const apps = useAppNames();
  return (
    <tr class="detail" role="row" id={id}>
      <td colspan={columnCount} role="cell">
        <div class="detail-box">
          {finding === null ? null : (
            <p class="detail-finding">{findingText(finding, t, apps ?? NO_APP_NAMES).join(' ')}</p>
          )}
          <dl>
            {detailLines(row).map(([term, text]) => [<dt key={term}>{term}</dt>, <dd key={`${term} text`}>{text}</dd>])}
          </dl>
        </div>
      </td>
    </tr>
  );
}

function detailLines(row: OverviewRow): readonly (readonly [string, string])[] {
  const { cell } = row;
  const lines: [string, string][] = [];
  const { ttlb } = cell.phases;
  if (ttlb !== null) {
    const { p75, p90, p95, p99, max } = ttlb;
    lines.push([
      t.overview.columns.ttlb.label,
      (row.ttlb.known ? `${row.ttlb.note} · ` : '') +
        t.overview.detail.percentiles({
          p75: formatMs(p75),
          p90: formatMs(p90),
          p95: formatMs(p95),
          p99: formatMs(p99),
          max: formatMs(max),
        }),
    ]);
  }
  for (const [phase, pair] of Object.entries(row.phases)) {
    if (!pair.known) lines.push([wordFor(t.phases, phase), t.overview.row.unknown(pair.reason)]);
  }
  if (row.connections.length > 0) lines.push([t.overview.detail.connections, describeConnections(row.connections, t)]);
  lines.push([t.overview.detail.evidence, row.evidence.text]);
  const status = Object.entries(cell.status).map(([code, count]) => `${code} × ${formatCount(count)}`);
  if (status.length > 0) lines.push([t.overview.detail.status, status.join(', ')]);
  return lines;
}
