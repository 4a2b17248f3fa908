import { OUTCOME } from '../../reductions/request-table.ts';
import { type Detector, UnitSums } from './candidate.ts';
import { ANYWHERE } from './finding.ts';

/** They change with a release at most, so a browser needs each of them once. */
const KEPT_TYPES: ReadonlySet<string> = new Set(['script', 'style', 'font']);
/** Of an app's files that come from the browser's cache. */
const MAX_CACHED = 0.1;
/** Of the other apps': otherwise it is the browsers that keep nothing. */
const MIN_CACHED_ELSEWHERE = 0.4;
const MIN_FILES = 100;
/** Each browser has to fetch files several times; newcomers have an empty cache. */
const MIN_PER_BROWSER = 8;

/** An app whose scripts and styles come over the network each time. */
export const findColdCache: Detector = ({ table, left }) => {
  const apps = [...new Set(table.groups.map(({ target }) => target))].sort();
  const appOf = table.groups.map(({ target, type }) => (KEPT_TYPES.has(type) ? apps.indexOf(target) : -1));
  const cached = new Float64Array(apps.length);
  const fetched = apps.map(() => [] as number[]);
  const browsers = apps.map(() => new Set<number>());
  for (let row = 0; row < table.n; row++) {
    const app = appOf[table.group[row] as number] as number;
    if (app < 0) continue;
    const outcome = table.outcome[row];
    if (outcome === OUTCOME.cache) cached[app] = (cached[app] as number) + 1;
    else if (outcome === OUTCOME.usable) fetched[app]?.push(row);
    else continue;
    browsers[app]?.add(table.browser[row] as number);
  }
  const shareOf = (app: number) => (cached[app] as number) / ((cached[app] as number) + (fetched[app]?.length ?? 0));
  return apps.flatMap((target, app) => {
    const rows = fetched[app] as number[];
    const others = apps
      .map((_, other) => other)
      .filter((other) => other !== app && (cached[other] as number) + (fetched[other]?.length ?? 0) >= MIN_FILES);
    if (rows.length < MIN_FILES || rows.length < MIN_PER_BROWSER * (browsers[app]?.size ?? 0) || others.length === 0)
      return [];
    const elsewhere = others.reduce((sum, other) => sum + shareOf(other), 0) / others.length;
    if (shareOf(app) > MAX_CACHED || elsewhere < MIN_CACHED_ELSEWHERE) return [];
    const sums = new UnitSums();
    let placeMs = 0;
    for (const row of rows) {
      const total = left.ttlb[row] as number;
      placeMs += total;
      sums.add(table.browser[row] as number, elsewhere * total);
    }
    return [
      {
        kind: 'cold_cache' as const,
        place: { ...ANYWHERE, target },
        phase: null,
        since: null,
        facts: { cachedShare: shareOf(app), elsewhereShare: elsewhere },
        affectedRequests: rows.length,
        units: sums.units(),
        placeMs,
        cure() {
          for (const row of rows) {
            for (const phase of ['blocked', 'dns', 'tcp', 'tls', 'wait', 'receive'] as const)
              left[phase][row] = Number.NaN;
            left.ttlb[row] = 0;
            table.outcome[row] = OUTCOME.cache;
          }
        },
      },
    ];
  });
};
