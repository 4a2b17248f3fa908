import type { Database } from 'better-sqlite3';
import { OVERFLOW_NAME } from '../../../shared/vocabulary/wire-limits.ts';
import type { BrowserStanding } from '../ingestion.ts';

/** While fewer browsers have been known for a day, all count: in a pilot's first days nothing would be confirmed. */
const ESTABLISHED_BROWSERS = 20;
/** How often it is asked whether there are enough by now, ms. */
const ASK_EVERY_MS = 60_000;

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
    votesOnClock: (client, agreesWithEither) =>
      counts(client) && (agreesWithEither || standingOf.get(client) !== undefined),
    isNumbered: (client) => numberOf.get(client) !== undefined,
  };
}
