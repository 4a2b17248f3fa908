import { browsersLabel, browsersNotes } from '../../analysis/tables/browsers-column.ts';
import { labelledColumns, type TableDocument } from '../../analysis/tables/table-document.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import type { Fleet } from '../../questions/evidence.ts';
import type { FleetDocument, SeenBrowser } from '../../questions/fleet.ts';
import type { FleetLoss } from '../../questions/fleet-counts.ts';
import { momentCell } from '../model/sort-table.ts';
import { browserName } from '../model/value-label.ts';
import { EVIDENCE } from '../text/evidence.ts';
import { t } from '../text/t.ts';

/** A browser that has not reported for this long is probably off or has lost the extension, ms. */
const SILENT_MS = 24 * 3_600_000;
/** Length of `2026-10` in a timestamp. */
const MONTH = 7;

const { browsers: text, losses: lossText, versions: versionText } = EVIDENCE;

/** All losses that browsers counted, by where and why they occurred. */
export function lossesTable({ dropped, rejected, lost, ignored, notKept }: FleetDocument): TableDocument {
  const told = [...dropped, ...rejected, ...lost, ...ignored];
  const rows = (where: string, losses: readonly FleetLoss[]) =>
    losses.map(({ reason, count, browsers }) => ({ where, reason, count, browsers }));
  return {
    title: lossText.title,
    columns: labelledColumns(
      { ...lossText.columns, browsers: browsersLabel(lossText.columns.browsers, told, t) },
      { count: ['count', 'browsers'] },
    ),
    rows: [
      ...rows(lossText.dropped, dropped),
      ...rows(lossText.rejected, rejected),
      ...rows(lossText.lost, lost),
      ...rows(lossText.ignored, ignored),
      ...notKept.map(({ reason, count }) => ({ where: lossText.notKept, reason, count, browsers: null })),
    ],
    notes: [lossText.note, ...browsersNotes(told, t)],
  };
}

/** How many of this month's browsers have stopped reporting. Ids of earlier months are silent because they were replaced. */
export function silentBrowsers(named: readonly Pick<SeenBrowser, 'lastAt'>[], now: number): number {
  const month = new Date(now).toISOString().slice(0, MONTH);
  return named.filter(({ lastAt }) => lastAt.startsWith(month) && now - Date.parse(lastAt) > SILENT_MS).length;
}

/** Browsers behind the samples, each with the version it last reported. */
export function versionsTable({ versions, clocks }: Fleet): TableDocument {
  return {
    title: versionText.title,
    columns: labelledColumns(
      { ...versionText.columns, browsers: browsersLabel(versionText.columns.browsers, versions, t) },
      { count: ['browsers', 'samples'] },
    ),
    rows: versions.map(({ browser, version, extension, browsers, samples, lastSeen }) => ({
      browser: browserName(browser === version ? browser : `${browser} ${version}`),
      extension,
      browsers,
      samples,
      ...momentCell('last', Date.parse(lastSeen)),
    })),
    notes: [...(clocks === null ? [] : [clocksNote(clocks)]), ...browsersNotes(versions, t)],
  };
}

function clocksNote({ batches, corrected, largestMs }: NonNullable<Fleet['clocks']>): string {
  return corrected === 0
    ? versionText.clocksRight(batches)
    : versionText.clocksWrong(corrected, batches, largestMs / 1000);
}

export function sitesTable({ sites }: FleetDocument): TableDocument {
  return {
    title: text.sites.title,
    columns: labelledColumns(
      { ...text.sites.columns, browsers: browsersLabel(text.sites.columns.browsers, sites, t) },
      { count: ['browsers', 'degraded'] },
    ),
    rows: sites.map(({ site, browsers, degraded, lastAt }) => ({
      site: site === '' ? text.noLabel : site,
      browsers,
      degraded,
      ...momentCell('last', Date.parse(lastAt)),
    })),
    notes: browsersNotes(sites, t),
  };
}

/** For administrators: one row per browser. */
export function browsersTable(named: readonly SeenBrowser[]): TableDocument {
  return {
    title: text.named.title,
    columns: labelledColumns(text.named.columns, { s: ['clock'], count: ['waiting', 'dropped', 'lost'] }),
    rows: named.map((one) => ({
      client: one.client,
      site: one.site === '' ? text.noLabel : one.site,
      state: one.state === null ? null : wordFor(text.states, one.state),
      version: browserName(`${one.browser} ${one.browserVersion}`),
      extension: one.extensionVersion,
      ...momentCell('last', Date.parse(one.lastAt)),
      clock: one.clockCorrection === 0 ? 0 : -one.clockCorrection / 1000,
      waiting: one.waiting,
      dropped: one.dropped,
      lost: one.lost,
    })),
    notes: text.named.notes,
  };
}
