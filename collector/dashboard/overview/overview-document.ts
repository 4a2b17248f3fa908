import { PHASES } from '../../../shared/vocabulary/time-names.ts';
import { column, type TableColumn, type TableDocument } from '../../analysis/tables/table-document.ts';
import type { OverviewRow } from '../model/overview-row.ts';
import type { Pair } from '../model/pair.ts';
import { t } from '../text/t.ts';

/** The hosts × types table for copying and CSV: every number on the page, unrounded. */
export function overviewDocument(rows: readonly OverviewRow[]): TableDocument {
  return {
    title: 'Hosts and resource types',
    columns: [
      column('host', 'Host', 'text'),
      column('type', 'Type', 'text'),
      column('verdict', 'Verdict', 'text'),
      column('waited', 'Wait share', 'share'),
      ...pairColumns('ttlb', 'To last byte'),
      ...(['p25', 'p75', 'p95', 'p99'] as const).map((name) => column(name, `To last byte, ${name}`, 'ms')),
      column('gap', 'Gap', 'ms'),
      column('change', 'Change of the median', 'ms'),
      column('changed', 'Change is significant', 'text'),
      column('n', 'Usable', 'count'),
      column('samples', 'Samples', 'count'),
      column('browsers', 'Browsers', 'count'),
      column('reused', 'Reused', 'share'),
      ...pairColumns('setupConnection', 'Set-up per connection'),
      ...pairColumns('setupRequest', 'Set-up per request'),
      ...PHASES.flatMap((phase) => pairColumns(phase, t.phases[phase])),
      column('evidence', 'Evidence', 'text'),
    ],
    rows: rows.map((row) => ({
      host: row.host,
      type: row.type,
      verdict: t.verdicts[row.verdict.verdict],
      waited: row.waited,
      ...pairCells('ttlb', row.ttlb),
      p25: row.spread?.p25 ?? null,
      p75: row.spread?.p75 ?? null,
      p95: row.spread?.p95 ?? null,
      p99: row.spread?.p99 ?? null,
      gap: row.gap,
      change: row.change,
      changed: row.trend.kind === 'known' ? (row.trend.changed ? 'yes' : 'no') : null,
      n: row.spread?.n ?? 0,
      samples: row.samples,
      browsers: row.browsers,
      reused: row.reused,
      ...pairCells('setupConnection', row.setupConnection),
      ...pairCells('setupRequest', row.setupRequest),
      ...Object.assign({}, ...PHASES.map((phase) => pairCells(phase, row.phases[phase]))),
      evidence: row.evidence.text,
    })),
    notes: [],
  };
}

function pairColumns(name: string, label: string): readonly TableColumn[] {
  return [column(`${name}_median`, `${label}, median`, 'ms'), column(`${name}_mean`, `${label}, average`, 'ms')];
}

function pairCells(name: string, pair: Pair): Readonly<Record<string, number | null>> {
  return {
    [`${name}_median`]: pair.known ? pair.median : null,
    [`${name}_mean`]: pair.known ? pair.mean : null,
  };
}
