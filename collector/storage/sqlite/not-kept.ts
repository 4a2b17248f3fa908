import type { Database } from 'better-sqlite3';
import type { IgnoredValue } from '../../../shared/wire/wire-codes.ts';
import { DAY_MS } from '../rollups/resolutions.ts';
import type { RunRefusal } from './run-budget.ts';

/** Why something that a browser reported was not stored. */
export type NotKept =
  | RunRefusal
  | IgnoredValue
  | 'browser_shared'
  | 'browser_replaced'
  | 'browser_refused'
  | 'status_too_large'
  | 'samples_expired';

/** @param key id of the ingest key; empty if it is not known. @param at epoch ms of the day it is counted on */
export type CountNotKept = (at: number, key: string, reason: NotKept, n: number) => void;

export function createNotKeptCounter(database: Database): CountNotKept {
  const count = database.prepare(
    'INSERT INTO not_kept VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n',
  );
  return (at, key, reason, n) => void count.run(Math.floor(at / DAY_MS), key, reason, n);
}
