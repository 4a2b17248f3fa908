import type { Database } from 'better-sqlite3';
import { MAX_AGE_MS, MAX_AHEAD_MS } from '../../../shared/wire/wire-limits.ts';
import type { AcceptedBatch } from '../store.ts';

/** How exactly it is kept when a browser was last heard of: what says nothing new is not worth a page of the log, ms. */
const HEARD_STEP_MS = 1000;

/**
 * Notes what a batch says of its browser, inside the transaction that stores the batch. Turns of probes are known by browser,
 * probe and time, so one that comes twice is one.
 */
export function createHearing(database: Database): (batch: Omit<AcceptedBatch, 'columns'>) => void {
  const hear = database.prepare(
    `INSERT INTO browser
       (client, site, browser, browser_version, extension_version, first_at, last_at, clock_correction, status)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET site = excluded.site, browser = excluded.browser,
       browser_version = excluded.browser_version, extension_version = excluded.extension_version,
       last_at = excluded.last_at, clock_correction = excluded.clock_correction,
       status = CASE excluded.status WHEN '' THEN status ELSE excluded.status END
     WHERE excluded.last_at >= last_at + ${HEARD_STEP_MS} OR excluded.last_at >= last_at AND (
       excluded.site <> site OR excluded.browser <> browser OR excluded.browser_version <> browser_version OR
       excluded.extension_version <> extension_version OR excluded.clock_correction <> clock_correction OR
       excluded.status NOT IN ('', status))`,
  );
  const note = database.prepare(
    'INSERT OR IGNORE INTO probe_turn (at, client, probe, site, turn) VALUES (?, ?, ?, ?, ?)',
  );

  return ({ receivedAt, clockCorrection, origin, status }) => {
    const { client, site, browser, browserVersion, extensionVersion } = origin;
    const { turns = [], ...about } = status ?? {};
    const text = status ? JSON.stringify(about) : '';
    hear.run(client, site, browser, browserVersion, extensionVersion, receivedAt, receivedAt, clockCorrection, text);
    for (const turn of turns) {
      const at = turn.at + clockCorrection;
      // As with samples: nothing that is too old to be kept, and nothing that has not happened yet.
      if (at < receivedAt - MAX_AGE_MS || at > receivedAt + MAX_AHEAD_MS) continue;
      note.run(at, client, turn.probe, site, JSON.stringify(turn));
    }
  };
}
