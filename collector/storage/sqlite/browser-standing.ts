import type { Database } from 'better-sqlite3';
import { OVERFLOW_NAME } from '../../../shared/vocabulary/wire-limits.ts';

/** While fewer browsers have been known for a day, all count: in a pilot's first days nothing would be confirmed. */
const ESTABLISHED_BROWSERS = 20;
/** How often it is asked whether there are enough by now, ms. */
const ASK_EVERY_MS = 60_000;

/** Who may confirm something: anybody with an ingest key can invent browsers, but each takes a day to be known. */
export interface BrowserStanding {
  /** Whether enough browsers are known for a day that only these count. Once true, it stays so. */
  isEstablished(now: number): boolean;
  /**
   * Sites of browsers that are known for a day, each browser's as of its last batch, those with the oldest browser first.
   * Reads the whole table.
   */
  sitesByAge(limit: number): readonly string[];
  /** Costs one look at a primary key. */
  counts(client: string): boolean;
  /**
   * Whether a browser has a say about the collector's clock. One that agrees with neither clock says something only if it
   * was listed before: batches of others that say so are not stored, so they could be invented by the thousand for nothing.
   * Those of standing are believed: after a long downtime a wrong clock is one that they all disagree with, and the clock
   * that was expected is too.
   */
  judgesClock(client: string, agreesWithEither: boolean): boolean;
  /** Whether a rollup has it, by a number of its own; another such look. */
  isNumbered(client: string): boolean;
}

export function createBrowserStanding(database: Database): BrowserStanding {
  const known = database
    .prepare<[number], number>('SELECT count(*) FROM (SELECT 1 FROM browser WHERE standing = 2 LIMIT ?)')
    .pluck();
  const standingOf = database.prepare<[string], number>('SELECT standing FROM browser WHERE client = ?').pluck();
  const numberOf = database.prepare<[string], number>('SELECT id FROM client WHERE client = ?').pluck();
  const sites = database
    .prepare<[string, number], string>(
      `SELECT site FROM browser WHERE standing = 2 AND site NOT IN ('', ?) GROUP BY site ORDER BY min(first_at) LIMIT ?`,
    )
    .pluck();
  let established = false;
  let askedAt = Number.NEGATIVE_INFINITY;

  const counts = (client: string) => !established || standingOf.get(client) === 2;

  return {
    isEstablished(now) {
      if (!established && Math.abs(now - askedAt) >= ASK_EVERY_MS) {
        askedAt = now;
        established = known.get(ESTABLISHED_BROWSERS) === ESTABLISHED_BROWSERS;
      }
      return established;
    },
    sitesByAge: (limit) => sites.all(OVERFLOW_NAME, limit),
    counts,
    judgesClock: (client, agreesWithEither) =>
      counts(client) && (agreesWithEither || standingOf.get(client) !== undefined),
    isNumbered: (client) => numberOf.get(client) !== undefined,
  };
}
