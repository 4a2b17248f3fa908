import type { Database } from 'better-sqlite3';
import type { FleetStore, StoredBrowser, StoredTurn } from '../store.ts';
import { translating } from './translate-error.ts';

export function createFleetStore(database: Database): FleetStore {
  const browsers = database.prepare<[number, number, number], Omit<StoredBrowser, 'status'> & { status: string }>(
    `SELECT client, site, browser, browser_version AS browserVersion, extension_version AS extensionVersion,
       first_at AS firstAt, last_at AS lastAt, clock_correction AS clockCorrection, status
     FROM browser WHERE last_at >= ? AND first_at < ? ORDER BY last_at DESC, client LIMIT ?`,
  );
  const turns = database.prepare<[number, number, number], { at: number; client: string; site: string; turn: string }>(
    'SELECT at, client, site, turn FROM probe_turn WHERE at >= ? AND at < ? ORDER BY at DESC, client, probe LIMIT ?',
  );

  return {
    async browsers({ from, to }, limit) {
      const rows = translating(() => browsers.all(from, to, limit));
      return rows.map(({ status, ...row }) => ({
        ...row,
        status: status === '' ? null : (JSON.parse(status) as StoredBrowser['status']),
      }));
    },
    async probeTurns({ from, to }, limit) {
      const rows = translating(() => turns.all(from, to, limit));
      // The time by the collector's clock goes before the browser's own.
      return rows.map(({ turn, ...row }) => ({ ...(JSON.parse(turn) as StoredTurn), ...row }));
    },
  };
}
