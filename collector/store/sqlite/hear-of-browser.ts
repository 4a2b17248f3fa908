import type { Database } from 'better-sqlite3';
import { MAX_AGE_MS, MAX_AHEAD_MS } from '../../../shared/wire/wire-limits.ts';
import { MAX_CLOCK_JUMP_MS } from '../clock-watch.ts';
import type { AcceptedBatch } from '../store.ts';

/** How exactly it is kept when a browser was last heard of, ms. Those that send all the time cost a page of the log each time. */
const HEARD_STEP_MS = 10_000;
/** Browsers that are remembered here; when there are more, all are forgotten, and what they say is written once more. */
const MAX_REMEMBERED = 10_000;

type Said = Omit<AcceptedBatch, 'columns'>;
type Heard = Pick<Said, 'receivedAt' | 'key' | 'clockCorrection' | 'origin'>;

/**
 * Notes what a batch says of its browser, inside the transaction that stores the batch. Turns of probes are known by browser,
 * probe and time, so one that comes twice is one. What says nothing new is not worth a page of the log: thirty of them a
 * commit would be a third of it.
 */
export function createHearing(database: Database): (batch: Said) => void {
  const hear = database.prepare(
    `INSERT INTO browser VALUES (@client, @site, @browser, @browserVersion, @extensionVersion, @at, @at, @clockCorrection, @status, @key)
     ON CONFLICT DO UPDATE SET site = @site, browser = @browser, browser_version = @browserVersion,
       extension_version = @extensionVersion, last_at = @at, clock_correction = @clockCorrection, key = @key,
       status = CASE @status WHEN '' THEN status ELSE @status END
     -- One heard of in a time to come was heard of by a clock that ran ahead.
     WHERE @at >= last_at OR last_at > @at + ${MAX_CLOCK_JUMP_MS}`,
  );
  const note = database.prepare(
    'INSERT OR IGNORE INTO probe_turn (at, client, probe, site, turn, key) VALUES (?, ?, ?, ?, ?, ?)',
  );

  const remembered = new Map<string, Heard>();

  return (batch) => {
    const { receivedAt, key = null, clockCorrection, origin, status } = batch;
    const { client, site, browser, browserVersion, extensionVersion } = origin;
    const before = remembered.get(client);
    // One that was not written after all, or was erased, is written with the first batch after this time.
    if (!status && before !== undefined && saysTheSame(batch, before)) return;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(client, { receivedAt, key, clockCorrection, origin });
    const { turns = [], ...about } = status ?? {};
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
      key,
    });
    for (const turn of turns) {
      const at = turn.at + clockCorrection;
      // As with samples: nothing that is too old to be kept, and nothing that has not happened yet.
      if (at < receivedAt - MAX_AGE_MS || at > receivedAt + MAX_AHEAD_MS) continue;
      note.run(at, client, turn.probe, site, JSON.stringify(turn), key);
    }
  };
}

function saysTheSame(batch: Heard, before: Heard): boolean {
  const [now, then] = [batch.origin, before.origin];
  return (
    Math.abs(batch.receivedAt - before.receivedAt) < HEARD_STEP_MS &&
    (batch.key ?? null) === before.key &&
    batch.clockCorrection === before.clockCorrection &&
    now.site === then.site &&
    now.browser === then.browser &&
    now.browserVersion === then.browserVersion &&
    now.extensionVersion === then.extensionVersion
  );
}
