import { aggregateSamples } from '../../../collector/analysis/summary/aggregate-samples.ts';
import type { SummaryCell, SummaryDocument } from '../../../collector/analysis/summary/summary-document.ts';
import type { Dimension } from '../../../shared/vocabulary/dimensions.ts';
import { summarize } from '../summary/summarize.ts';
import { fleetSamples } from './sample-fleet.ts';

export const NOW = Date.UTC(2026, 2, 2, 12);

/** The synthetic fleet’s summary, as the collector would answer. */
export function fleetSummary(by: readonly Dimension[] = ['host', 'type']): SummaryDocument {
  return summarize(
    { exact: true, bound: 0, dataHash: 'a'.repeat(64), cells: aggregateSamples(fleetSamples(NOW), by) },
    {
      from: new Date(NOW - 86_400_000).toISOString(),
      to: new Date(NOW).toISOString(),
      by,
      filters: {},
      rules: ['Cache is left out.'],
      versions: { lastbyte: '0.1.0' },
    },
  );
}

export function fleetCell(host: string, type: string): SummaryCell {
  const cell = fleetSummary().cells.find((one) => one.host === host && one.type === type);
  if (cell === undefined) throw new Error(`no cell ${host} ${type}`);
  return cell;
}
