import { findingOf } from '../../analysis/summary/finding.ts';
import { findingText } from '../../analysis/text/finding-text.ts';
import { formatCount, formatMs } from '../../analysis/text/format.ts';
import { PHASE_LABELS, wordFor } from '../../analysis/text/words.ts';
import { describeConnections } from '../../charts/connection-shares.ts';
import type { OverviewRow } from '../model/overview-row.ts';
import { element } from '../render/element.ts';

/** A row's numbers explained: the finding, the caveats, and the reason for every dash. */
export function rowDetail(row: OverviewRow, columns: number, id: string): HTMLElement {
  const finding = findingOf(row.cell);
  return element(
    'tr',
    { class: 'detail', role: 'row', id },
    element(
      'td',
      { colspan: columns, role: 'cell' },
      element(
        'div',
        { class: 'detail-box' },
        finding === null ? null : element('p', { class: 'detail-finding' }, findingText(finding).join(' ')),
        element(
          'dl',
          {},
          ...detailLines(row).flatMap(([term, text]) => [element('dt', {}, term), element('dd', {}, text)]),
        ),
      ),
    ),
  );
}

function detailLines(row: OverviewRow): readonly (readonly [string, string])[] {
  const { cell } = row;
  const lines: [string, string][] = [];
  const { ttlb } = cell.phases;
  if (ttlb !== null) {
    const { p75, p90, p95, p99, max } = ttlb;
    lines.push([
      'To last byte',
      `${row.ttlb.known ? `${row.ttlb.note} · ` : ''}p75 ${formatMs(p75)}, p90 ${formatMs(p90)}, p95 ${formatMs(p95)}, p99 ${formatMs(p99)}, max ${formatMs(max)} ms`,
    ]);
  }
  for (const [phase, pair] of Object.entries(row.phases)) {
    if (!pair.known) lines.push([wordFor(PHASE_LABELS, phase), `unknown: ${pair.reason}`]);
  }
  if (row.connections.length > 0) lines.push(['Connections', describeConnections(row.connections)]);
  lines.push(['Evidence', row.evidence.text]);
  const status = Object.entries(cell.status).map(([code, count]) => `${code} × ${formatCount(count)}`);
  if (status.length > 0) lines.push(['Result codes', status.join(', ')]);
  return lines;
}
