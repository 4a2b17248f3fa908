import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { createControlCopy } from '../../../collector/storage/sqlite/control-copy.ts';
import { whereSamplesAre } from '../../../collector/storage/sqlite/where-samples-are.ts';

/* A server must start while its disk is full: what has not changed is not written. */

function openKept() {
  const database = new Database(':memory:');
  database.exec(`CREATE TABLE kept (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE chunk (id INTEGER PRIMARY KEY); CREATE TABLE bucket (n INTEGER);`);
  const changes = database.prepare<[], number>('SELECT total_changes()').pluck();
  return { database, changes: () => changes.get() ?? Number.NaN };
}

test('where samples are is written once, and when it changes', () => {
  const { database, changes } = openKept();
  const samples = { url: 'http://ch1:8123', user: 'a', password: 'b', database: 'c' };
  const open = (address: typeof samples) => {
    const before = changes();
    expect(whereSamplesAre(database, { folder: '', as: 'server', samples: address })).toEqual(address);
    return changes() - before;
  };
  expect(open(samples)).toBe(1);
  expect(open(samples)).toBe(0);
  expect(open({ ...samples, password: 'another' })).toBe(0);
  expect(open({ ...samples, url: 'http://ch2:8123' })).toBe(1);
});

test('what an earlier version stored is understood, and refused if it names a cluster', () => {
  const kept = (cluster: string | null) => {
    const { database } = openKept();
    const address = { hosts: ['http://ch1:8123', 'http://ch2:8123'], user: 'a', database: 'c', cluster };
    database.prepare("INSERT INTO kept VALUES ('clickHouse', ?)").run(JSON.stringify(address));
    return () => whereSamplesAre(database, { folder: '', as: 'command' });
  };
  const address = { url: 'http://ch1:8123', user: 'a', password: '', database: 'c' };
  expect(kept(null)()).toEqual(address);
  expect(kept('prod')).toThrow('over the shards of the cluster prod');
});

test('the copy of shared control data is written when it changes', () => {
  const { database, changes } = openKept();
  const copy = createControlCopy(database);
  const settings = { document: { version: 1 }, revision: 1, appliedAt: 1 };
  const write = (data: unknown) => {
    const before = changes();
    copy.write(data as Parameters<typeof copy.write>[0]);
    return changes() - before;
  };
  expect(write({ settings, tokens: [] })).toBe(3);
  expect(write({ settings, tokens: [] })).toBe(0);
  expect(write({ settings, tokens: [{ id: '1' }] })).toBe(1);
});
