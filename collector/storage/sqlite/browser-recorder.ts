import type { Database } from 'better-sqlite3';
import type { Settings } from '../../../shared/settings/settings-schema.ts';
import { MAX_AGE_MS, MAX_AHEAD_MS } from '../../../shared/vocabulary/wire-limits.ts';
import type { BrowserStatus, ProbeRun } from '../../../shared/wire/browser-status.ts';
import { MAX_CLOCK_JUMP_MS } from '../clock-watch.ts';
import { type AcceptedBatch, NEWCOMER_MS } from '../ingestion.ts';
import { createNewcomerLimit, MAX_NEWCOMERS } from './known-browsers.ts';
import { createNotKeptCounter, type NotKept } from './not-kept.ts';
import { createRunBudget, type Schedule, toSchedule } from './run-budget.ts';

/** Precision of a browser's last contact, ms. Each update costs a page of the log, and some browsers send all the time. */
const CONTACT_STEP_MS = 10_000;
/** Cached browsers; when there are more, the cache is cleared, and their rows are written once more. */
const MAX_REMEMBERED = 10_000;
/** A browser's status without probe runs: all existing reasons take about 1,000 characters. */
const MAX_STATUS_CHARS = 4_096;
/** A browser's row and its entry in the index of newcomers, without the status; pages are two thirds full. */
const ROW_BYTES = 400;
const NO_SCHEDULE: Schedule = { probes: new Set(), runsPerDay: 0 };

type ReportedBatch = Omit<AcceptedBatch, 'columns'>;
type LastReport = Pick<ReportedBatch, 'receivedAt' | 'key' | 'clockCorrection' | 'origin'>;

/**
 * Records a batch's report on its browser, inside the transaction that stores the batch. Probe runs are identified by
 * browser, probe and time, so repeated ones are stored once. Unchanged reports are not written: thirty per commit would be a
 * third of the log. The number and size of rows is bounded, since anyone with an ingest key can invent browsers and runs;
 * whatever is not kept is counted by day, key and reason.
 *
 * @returns records a batch and returns the bytes of its browser's row if that is new, otherwise 0
 */
export function createBrowserRecorder(
  database: Database,
  settingsNow: () => Settings | null,
  maxNewcomers = MAX_NEWCOMERS,
): (batch: ReportedBatch, latestNow: number | null) => number {
  const firstSeen = database.prepare<[string], number>('SELECT first_at FROM browser WHERE client = ?').pluck();
  // standing: 0 seen once, 1 seen again, 2 still seen a day later. A day measured by a doubtful clock may be a mere
  // moment.
  const upsert = database.prepare(
    `INSERT INTO browser (client, site, browser, browser_version, extension_version, first_at, last_at, clock_correction,
       status, key, standing)
     VALUES (@client, @site, @browser, @browserVersion, @extensionVersion, max(@at, coalesce(@latestNow, @at)), @at, @clockCorrection, @status, @key, 0)
     ON CONFLICT DO UPDATE SET site = @site, browser = @browser, browser_version = @browserVersion,
       extension_version = @extensionVersion, last_at = @at, clock_correction = @clockCorrection, key = @key,
       status = CASE @status WHEN '' THEN status ELSE @status END,
       first_at = CASE WHEN @latestNow IS NULL THEN min(first_at, @at) ELSE first_at END,
       standing = CASE WHEN standing = 2 OR (@latestNow IS NULL AND @at >= first_at + ${NEWCOMER_MS}) THEN 2
         WHEN @at > last_at THEN 1 ELSE standing END
     -- A last contact in the future was recorded by a clock that ran ahead.
     WHERE @at >= last_at OR last_at > @at + ${MAX_CLOCK_JUMP_MS}`,
  );
  const insertRun = database.prepare(
    'INSERT OR IGNORE INTO probe_turn (at, client, probe, site, turn, key) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const findRun = database.prepare<[number, string, string], number>(
    'SELECT 1 FROM probe_turn WHERE at = ? AND client = ? AND probe = ?',
  );
  const countNotKept = createNotKeptCounter(database);

  const remembered = new Map<string, LastReport>();
  let scheduledBy: Settings | null = null;
  let schedule = NO_SCHEDULE;
  const admit = createNewcomerLimit(database, maxNewcomers);
  const budget = createRunBudget();

  function scheduleNow(): Schedule {
    const settings = settingsNow();
    if (settings !== scheduledBy) schedule = settings === null ? NO_SCHEDULE : toSchedule(settings);
    scheduledBy = settings;
    return schedule;
  }

  return (batch, latestNow) => {
    const { receivedAt, clockCorrection, origin, status, sharesClient } = batch;
    const notKept = new Map(Object.entries(batch.ignored ?? {}) as [NotKept, number][]);
    const { client, site } = origin;
    const key = batch.key ?? '';
    const before = remembered.get(client);
    // A row that was not written after all, or was erased, is written with the first batch after CONTACT_STEP_MS.
    if (!status && !sharesClient && notKept.size === 0 && before !== undefined && isUnchanged(batch, before)) return 0;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(client, { receivedAt, key, clockCorrection, origin });
    const refuse = (reason: NotKept) => notKept.set(reason, (notKept.get(reason) ?? 0) + 1);
    if (sharesClient) refuse('browser_shared');
    const firstAt = firstSeen.get(client);
    const admission = firstAt === undefined ? admit(key, receivedAt) : 'free';
    if (admission === 'replaced') refuse('browser_replaced');
    if (admission === 'full') refuse('browser_refused');
    const { turns: runs = [], ...about } = status ?? {};
    const report = status ? JSON.stringify(about) : '';
    const fits = report.length <= MAX_STATUS_CHARS;
    if (!fits) refuse('status_too_large');
    const text = fits ? report : JSON.stringify(withoutReasons(about as Omit<BrowserStatus, 'turns'>));
    if (admission !== 'full') {
      const { browser, browserVersion, extensionVersion } = origin;
      upsert.run({
        client,
        site,
        browser,
        browserVersion,
        extensionVersion,
        at: receivedAt,
        latestNow,
        clockCorrection,
        status: text,
        key,
      });
    }
    const newcomer = receivedAt < (firstAt ?? receivedAt) + NEWCOMER_MS;
    for (const run of runs) recordRun(run);
    for (const [reason, n] of notKept) countNotKept(receivedAt, key, reason, n);
    return firstAt === undefined && admission !== 'full' ? ROW_BYTES + text.length : 0;

    function recordRun(run: ProbeRun): void {
      const at = run.at + clockCorrection;
      // As with samples: neither too old to be kept nor in the future.
      if (at < receivedAt - MAX_AGE_MS || at > receivedAt + MAX_AHEAD_MS) return;
      if (findRun.get(at, client, run.probe) !== undefined) return;
      const candidate = { key, client, probe: run.probe, text: JSON.stringify(run), newcomer };
      const refusal = budget.refusalOf(candidate, scheduleNow());
      if (refusal === null) insertRun.run(at, client, run.probe, site, candidate.text, key);
      else refuse(refusal);
    }
  };
}

function withoutReasons({ state, waiting }: Omit<BrowserStatus, 'turns'>): Omit<BrowserStatus, 'turns'> {
  return { state, waiting, dropped: {}, rejected: {}, lost: {} };
}

function isUnchanged(batch: LastReport, before: LastReport): boolean {
  const [now, then] = [batch.origin, before.origin];
  return (
    Math.abs(batch.receivedAt - before.receivedAt) < CONTACT_STEP_MS &&
    (batch.key ?? '') === before.key &&
    batch.clockCorrection === before.clockCorrection &&
    now.site === then.site &&
    now.browser === then.browser &&
    now.browserVersion === then.browserVersion &&
    now.extensionVersion === then.extensionVersion
  );
}
