import { filteredDimensions, passesFilters } from '../../shared/vocabulary/dimensions.ts';
import { type JourneyResult, journeyResults } from '../analysis/probes/journey-results.ts';
import type { JourneyRules } from '../analysis/probes/journey-rules.ts';
import type { StoreQuery } from '../storage/passes/collect-cells.ts';
import type { Reading, ReadingSource, StoredProbeRun } from '../storage/passes/reading-source.ts';
import { createVisibility, type ViewerRule, type Visibility } from './visibility/visibility.ts';

const DAY_MS = 86_400_000;

type JourneysAsked = Pick<StoreQuery, 'range' | 'filters'> & JourneyRules;

/** How each journey fared at each site, from the runs that browsers reported: for alerts and reports. */
export const JOURNEYS: Reading<JourneysAsked & ViewerRule, JourneyResult[]> = {
  name: 'journeys',
  takesLong: ({ range: { from, to } }) => to - from > DAY_MS,
  read: async (source, asked) => readJourneys(source, asked, createVisibility(source, asked, asked.range)),
};

/** None where something is filtered by that a run does not tell, such as a host. */
export function readJourneys(
  source: ReadingSource,
  { range, filters, thresholds, recorded }: JourneysAsked,
  { counts, minGroupSize }: Visibility,
): JourneyResult[] {
  if (filteredDimensions(filters).some((name) => !['target', 'site', 'journey'].includes(name))) return [];
  return journeyResults(
    runsThatPass(),
    thresholds,
    (journey, clients) =>
      minGroupSize <= 1 || recorded.includes(journey) || [...clients].filter(counts).length >= minGroupSize,
  );

  function* runsThatPass(): Iterable<StoredProbeRun> {
    for (const run of source.fleet.probeRuns(range, null)) {
      source.checkpoint();
      const passes = passesFilters(filters, 'target', run.target) && passesFilters(filters, 'site', run.site);
      if (passes && passesFilters(filters, 'journey', run.probe)) yield run;
    }
  }
}
