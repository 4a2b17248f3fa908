import type { SeenBrowser } from '../../collector/questions/fleet.ts';
import { fleet } from '../../collector/questions/fleet.ts';
import { probes } from '../../collector/questions/probes.ts';
import type { Store } from '../../collector/storage/store.ts';
import type { TimeRange } from '../../shared/vocabulary/dimensions.ts';

/** The browsers heard of in a range, the last heard of first, as admins see them. */
export async function heardBrowsers(store: Store, range: TimeRange): Promise<readonly SeenBrowser[]> {
  const { named } = await store.samples.read(fleet, { range, sites: [], nameBrowsers: true, minGroupSize: 0 });
  return named ?? [];
}

/** What became of the turns of probes in a range. */
export async function countedTurns(store: Store, range: TimeRange) {
  const question = {
    range,
    filters: {},
    hosts: {},
    thresholds: {},
    recorded: [],
    off: [],
    language: 'en' as const,
    minGroupSize: 0,
  };
  return (await store.samples.read(probes, question)).turns;
}
