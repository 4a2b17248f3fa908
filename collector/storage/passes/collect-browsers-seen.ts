import type { QueryGroups } from './query-groups.ts';
import type { RangePass } from './range-pass.ts';

/** A browser as its newest sample describes it. */
export interface SeenBrowser {
  readonly browser: string;
  /** Major version of the browser. */
  readonly version: string;
  readonly extension: string;
  readonly samples: number;
  /** Epoch ms. */
  readonly last: number;
}

/** The browsers of all groups together, by client. Complete once the pass has run. */
export function collectBrowsersSeen(pass: RangePass, groups: QueryGroups): ReadonlyMap<string, SeenBrowser> {
  const seen = new Map<string, SeenBrowser>();
  pass.rows((part) => {
    if (!groups.hasRows(part)) return;
    const inside = groups.groupsOfRows(part);
    const at = part.columns.at();
    const { origins } = part.columns;
    const origin = part.columns.origin();
    // Of each origin first: there are few in a chunk, and each is looked up once.
    const counts = new Int32Array(origins.length);
    const last = new Float64Array(origins.length).fill(Number.NEGATIVE_INFINITY);
    for (let row = 0; row < at.length; row++) {
      if ((inside[row] as number) < 0) continue;
      const place = origin[row] as number;
      counts[place] = (counts[place] as number) + 1;
      if ((at[row] as number) > (last[place] as number)) last[place] = at[row] as number;
    }
    origins.forEach(({ client, browser, browserVersion, extensionVersion }, place) => {
      const samples = counts[place] as number;
      if (samples === 0) return;
      const time = last[place] as number;
      const before = seen.get(client);
      if (before === undefined || time >= before.last) {
        const version = browserVersion.split('.')[0] ?? '';
        seen.set(client, {
          browser,
          version,
          extension: extensionVersion,
          samples: (before?.samples ?? 0) + samples,
          last: time,
        });
      } else seen.set(client, { ...before, samples: before.samples + samples });
    });
  });
  return seen;
}
