import { column, type TableDocument } from '../../analysis/tables/table-document.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import type { Fleet } from '../../questions/evidence.ts';
import type { FleetDocument, FleetLoss, SeenBrowser } from '../../questions/fleet.ts';
import { formatMoment } from '../state/time-range.ts';
import { formatCount, formatMs, plural } from '../text/format.ts';

const STATE_WORDS: Readonly<Record<string, string>> = {
  collecting: 'collecting',
  degraded: 'degraded',
};

/** All losses that browsers counted, by where and why they occurred. */
export function lossesTable({ dropped, rejected, lost, notKept }: FleetDocument): TableDocument {
  const rows = (where: string, losses: readonly FleetLoss[]) =>
    losses.map(({ reason, count, browsers }) => ({ where, reason, count, browsers }));
  return {
    title: 'Losses',
    columns: [
      column('where', 'Where', 'text'),
      column('reason', 'Reason', 'text'),
      column('count', 'Rows', 'count'),
      column('browsers', 'Browsers', 'count'),
    ],
    rows: [
      ...rows('never left the browser', dropped),
      ...rows('rejected by the collector', rejected),
      ...rows('never became a sample', lost),
      ...notKept.map(({ reason, count }) => ({ where: 'not stored by the collector', reason, count, browsers: null })),
    ],
    notes: [
      'Counted by each browser since its extension was installed. docs/wire-format.md, docs/delivery.md and docs/operations.md explain the reasons.',
    ],
  };
}

/** Browsers behind the samples, each with the version it last reported. */
export function versionsTable({ versions, clocks }: Fleet): TableDocument {
  return {
    title: 'Versions of browsers and extension',
    columns: [
      column('browser', 'Browser', 'text'),
      column('extension', 'Extension', 'text'),
      column('browsers', 'Browsers', 'count'),
      column('samples', 'Samples', 'count'),
      column('last', 'Last sample', 'text'),
    ],
    rows: versions.map(({ browser, version, extension, browsers, samples, lastSeen }) => ({
      browser: browser === version ? browser : `${browser} ${version}`,
      extension,
      browsers,
      samples,
      last: formatMoment(Date.parse(lastSeen)),
    })),
    notes: clocks === null ? [] : [clocksNote(clocks)],
  };
}

function clocksNote({ batches, corrected, largestMs }: NonNullable<Fleet['clocks']>): string {
  return corrected === 0
    ? `In ${plural(batches, 'batch', 'batches')} no clock was wrong by more than a second.`
    : `${formatCount(corrected)} of ${plural(batches, 'batch', 'batches')} had a clock that was wrong by up to ${formatMs(largestMs / 1000)} s; their times were corrected.`;
}

export function sitesTable({ sites }: FleetDocument): TableDocument {
  return {
    title: 'Browsers by site',
    columns: [
      column('site', 'Site', 'text'),
      column('browsers', 'Browsers', 'count'),
      column('degraded', 'Degraded', 'count'),
      column('last', 'Last report', 'text'),
    ],
    rows: sites.map(({ site, browsers, degraded, lastAt }) => ({
      site: site === '' ? '(no label)' : site,
      browsers,
      degraded,
      last: formatMoment(Date.parse(lastAt)),
    })),
    notes: [],
  };
}

/** For administrators: one row per browser. */
export function browsersTable(named: readonly SeenBrowser[]): TableDocument {
  return {
    title: 'Individual browsers',
    columns: [
      column('client', 'Browser', 'text'),
      column('site', 'Site', 'text'),
      column('state', 'State', 'text'),
      column('version', 'Version', 'text'),
      column('extension', 'Extension', 'text'),
      column('last', 'Last report', 'text'),
      column('clock', 'Clock off', 's'),
      column('waiting', 'Waiting', 'count'),
      column('dropped', 'Dropped', 'count'),
      column('lost', 'Lost', 'count'),
    ],
    rows: named.map((one) => ({
      client: one.client,
      site: one.site === '' ? '(no label)' : one.site,
      state: one.state === null ? null : wordFor(STATE_WORDS, one.state),
      version: `${one.browser} ${one.browserVersion}`,
      extension: one.extensionVersion,
      last: formatMoment(Date.parse(one.lastAt)),
      clock: one.clockCorrection === 0 ? 0 : -one.clockCorrection / 1000,
      waiting: one.waiting,
      dropped: one.dropped,
      lost: one.lost,
    })),
    notes: [
      'Ids are random and change on the first of the month. To delete a browser’s data: lastbyte erase --client ID.',
      'Clock off: ahead of (+) or behind (−) the collector at the last batch; its times were corrected.',
    ],
  };
}
