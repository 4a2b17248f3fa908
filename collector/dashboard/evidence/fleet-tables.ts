import { browsersColumn, browsersNotes } from '../../analysis/tables/browsers-column.ts';
import { column, type TableDocument } from '../../analysis/tables/table-document.ts';
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
    columns: [
      column('where', lossText.columns.where, 'text'),
      column('reason', lossText.columns.reason, 'text'),
      column('count', lossText.columns.count, 'count'),
      browsersColumn(lossText.columns.browsers, told, t),
    ],
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
    columns: [
      column('browser', versionText.columns.browser, 'text'),
      column('extension', versionText.columns.extension, 'text'),
      browsersColumn(versionText.columns.browsers, versions, t),
      column('samples', versionText.columns.samples, 'count'),
      column('last', versionText.columns.last, 'text'),
    ],
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
    columns: [
      column('site', text.sites.columns.site, 'text'),
      browsersColumn(text.sites.columns.browsers, sites, t),
      column('degraded', text.sites.columns.degraded, 'count'),
      column('last', text.sites.columns.last, 'text'),
    ],
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
    columns: [
      column('client', text.named.columns.client, 'text'),
      column('site', text.named.columns.site, 'text'),
      column('state', text.named.columns.state, 'text'),
      column('version', text.named.columns.version, 'text'),
      column('extension', text.named.columns.extension, 'text'),
      column('last', text.named.columns.last, 'text'),
      column('clock', text.named.columns.clock, 's'),
      column('waiting', text.named.columns.waiting, 'count'),
      column('dropped', text.named.columns.dropped, 'count'),
      column('lost', text.named.columns.lost, 'count'),
    ],
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
