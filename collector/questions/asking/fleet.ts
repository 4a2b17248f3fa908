import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import type { FleetDocument } from '../../analysis/documents/fleet-document.ts';
import { type JsonBytes, joinJson, writeJson } from '../../storage/json-bytes.ts';
import { written } from '../computations.ts';
import type { Asker } from './asker.ts';
import { type Parameters, readParameters } from './parameters.ts';
import { EVERYTHING, foldRuleFor } from './privacy.ts';

/** `from`, `to` and `site`. Throws a QueryError. */
export function parseFleetQuery(parameters: Parameters, now: number): { range: TimeRange; sites: readonly string[] } {
  const read = readParameters(parameters, ['from', 'to', 'site']);
  return { range: read.range(now), sites: read.filters(['site']).site ?? [] };
}

/** How the browsers that report are doing: counts for everybody, single browsers for admins. Throws a StoreError. */
export async function runFleet(
  { store, audience = EVERYTHING, signal, token }: Asker,
  { range, sites }: ReturnType<typeof parseFleetQuery>,
): Promise<JsonBytes<FleetDocument>> {
  const watch = { signal, token };
  const rule = await foldRuleFor(store, audience, range, watch);
  const question = { range, sites, nameBrowsers: audience.role === 'admin', ...rule };
  const { rest } = await store.samples.read(written('fleet'), question, watch);
  return joinJson(writeJson({ from: new Date(range.from).toISOString(), to: new Date(range.to).toISOString() }), rest);
}
