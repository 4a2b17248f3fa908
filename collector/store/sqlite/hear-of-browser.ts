import type { Database } from 'better-sqlite3';
import { MAX_AGE_MS, MAX_AHEAD_MS } from '../../../shared/wire/wire-limits.ts';
import type { AcceptedBatch } from '../store.ts';

/**
 * Notes what a batch says of its browser, inside the transaction that stores the batch. Turns of probes are known by browser,
 * probe and time, so one that comes twice is one.
 */
export function createHearing(database: Database): (batch: Omit<AcceptedBatch, 'columns'>) => void {
  const hear = database.prepare(
    `INSERT INTO browser VALUES (@client, @site, @browser, @browserVersion, @extensionVersion, @at, @at, @clockCorrection, @status)
     ON CONFLICT DO UPDATE SET site = @site, browser = @browser, browser_version = @browserVersion,
       extension_version = @extensionVersion, last_at = @at, clock_correction = @clockCorrection,
       status = CASE @status WHEN '' THEN status ELSE @status END
     WHERE @at >= last_at`,
  );
  const note = database.prepare(
    'INSERT OR IGNORE INTO probe_turn (at, client, probe, site, turn) VALUES (?, ?, ?, ?, ?)',
  );

  return ({ receivedAt, clockCorrection, origin, status }) => {
    const { turns = [], ...about } = status ?? {};
    const { client, site, browser, browserVersion, extensionVersion } = origin;
    const text = status ? JSON.stringify(about) : '';
    hear.run({
      client,
      site,
      browser,
      browserVersion,
      extensionVersion,
      at: receivedAt,
      clockCorrection,
      status: text,
    });
    for (const turn of turns) {
      const at = turn.at + clockCorrection;
      // As with samples: nothing that is too old to be kept, and nothing that has not happened yet.
      if (at < receivedAt - MAX_AGE_MS || at > receivedAt + MAX_AHEAD_MS) continue;
      note.run(at, client, turn.probe, site, JSON.stringify(turn));
    }
  };
}
