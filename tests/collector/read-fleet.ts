import type { SeenBrowser } from '../../collector/analysis/documents/fleet-document.ts';
import { reading } from '../../collector/questions/computations.ts';
import type { Store } from '../../collector/storage/store.ts';
import type { TimeRange } from '../../shared/vocabulary/dimensions.ts';

/** The browsers heard of in a range, the last heard of first, as admins see them. */
export async function heardBrowsers(store: Store, range: TimeRange): Promise<readonly SeenBrowser[]> {
  const { named } = await store.samples.read(reading('fleet'), { range, sites: [], nameBrowsers: true, foldBelow: 0 });
  return named ?? [];
}

/** What became of the turns of probes in a range. */
export async function countedTurns(store: Store, range: TimeRange) {
  const question = { range, filters: {}, users: [], hosts: {}, thresholds: {}, foldBelow: 0 };
  return (await store.samples.read(reading('probes'), question)).turns;
}
