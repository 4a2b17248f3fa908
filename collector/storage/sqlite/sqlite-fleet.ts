import type { Database } from 'better-sqlite3';
import type { FleetSource, StoredBrowser, StoredProbeRun } from '../passes/reading-source.ts';
import { DAY_MS } from '../rollups/resolutions.ts';

/** SQLite's own: https://www.sqlite.org/lang_select.html#the_limit_clause */
const UNLIMITED = -1;

/** Reports of browsers, one row at a time: there may be many, and each may be large. */
export function createFleetSource(database: Database): FleetSource {
  const browsers = database.prepare<
    [{ from: number; to: number; sites: string | null; without: string; limit: number }],
    Omit<StoredBrowser, 'status'> & { status: string }
  >(
    `SELECT client, site, browser, browser_version AS browserVersion, extension_version AS extensionVersion,
       first_at AS firstAt, last_at AS lastAt, clock_correction AS clockCorrection, status
     FROM browser WHERE last_at >= @from AND first_at < @to
       AND (@sites IS NULL OR site IN (SELECT value FROM json_each(@sites)))
       AND site NOT IN (SELECT value FROM json_each(@without))
     ORDER BY last_at DESC, client LIMIT @limit`,
  );
  const runs = database.prepare<[number, number, number], { at: number; client: string; site: string; turn: string }>(
    'SELECT at, client, site, turn FROM probe_turn WHERE at >= ? AND at < ? ORDER BY at DESC, client, probe LIMIT ?',
  );
  const fresh = database.prepare<[number], string>('SELECT client FROM browser WHERE first_at > ?').pluck();
  const until = database.prepare<[number], string>('SELECT client FROM browser WHERE first_at <= ?').pluck();
  const refused = database
    .prepare<[number], number>(
      "SELECT count(*) FROM not_kept WHERE day >= ? AND reason IN ('browser_refused', 'browser_replaced')",
    )
    .pluck();
  const firstHeard = database
    .prepare<[number, number], number>('SELECT count(*) FROM browser WHERE first_at >= ? AND first_at < ?')
    .pluck();
  const notKept = database.prepare<[number, number], { reason: string; count: number }>(
    'SELECT reason, sum(n) AS count FROM not_kept WHERE day >= ? AND day < ? GROUP BY reason ORDER BY reason',
  );

  return {
    *browsers({ from, to }, { sites = [], without = [] }, limit) {
      const wanted = { sites: sites.length === 0 ? null : JSON.stringify(sites), without: JSON.stringify(without) };
      for (const { status, ...row } of browsers.iterate({ from, to, ...wanted, limit })) {
        yield { ...row, status: status === '' ? null : (JSON.parse(status) as StoredBrowser['status']) };
      }
    },
    *probeRuns({ from, to }, limit) {
      for (const { turn, ...row } of runs.iterate(from, to, limit ?? UNLIMITED)) {
        // The time by the collector's clock replaces the browser's own.
        yield { ...(JSON.parse(turn) as StoredProbeRun), ...row };
      }
    },
    firstHeard: ({ from, to }) => firstHeard.get(from, to) ?? 0,
    freshBrowsers: (since) => new Set(fresh.iterate(since)),
    browsersUntil: (time) => new Set(until.iterate(time)),
    hadRoom: (since) => refused.get(Math.floor(since / DAY_MS)) === 0,
    notKept: ({ from, to }) => notKept.all(Math.floor(from / DAY_MS), Math.ceil(to / DAY_MS)),
  };
}
