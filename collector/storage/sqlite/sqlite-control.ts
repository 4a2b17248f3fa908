import type { Database, Statement } from 'better-sqlite3';
import { createControlData } from '../control/control-data.ts';
import type { ControlDatabase, Statements } from '../control/control-database.ts';
import { changeSessions, createSessionStore, type SessionChange } from '../control/session-store.ts';
import { CONTROL_TABLES, type OwnControl } from '../local-store.ts';
import { COPY_NAMES } from './control-copy.ts';
import { CLOCK_NAME } from './folder-state.ts';
import { translating } from './translate-error.ts';

const DIALECT = { schema: 'main', bytewise: 'BINARY', hasEnded: 'until <= @now' } as const;

/**
 * Control data of the data folder itself.
 * @param write runs SessionWrites in the writer's thread
 */
export function createOwnControl(database: Database, write: WriteSessions) {
  const { run, transaction } = statementsOn(database);
  const control: ControlDatabase = {
    ...DIALECT,
    query: async <R>(sql: string, values?: object) => translating(() => run(sql, values)) as R[],
    transaction: async (_table, work) => translating(() => transaction(work)),
  };
  return { ...createControlData(control), sessions: createSessionStore(control, gatheredChanges(write)) };
}

type WriteSessions = (...change: Parameters<SessionWrites['changeSessions']>) => Promise<unknown>;

/**
 * Sessions are read here and written by the writer, because a commit waits for the disk. During a commit, further
 * changes are collected for the next one, so a batch waits for at most one of them, however many people sign in.
 */
function gatheredChanges(write: WriteSessions): (one: SessionChange, now: number) => Promise<void> {
  let gathered: SessionChange[] = [];
  let underWay: Promise<unknown> = Promise.resolve();
  /** The commit that will write the gathered changes; null if there are none. */
  let next: Promise<unknown> | null = null;
  return async (one, now) => {
    gathered.push(one);
    const commit = () => {
      const changes = gathered;
      gathered = [];
      next = null;
      return write(changes, now);
    };
    // A failed commit fails only its own changes.
    next ??= underWay = underWay.then(commit, commit);
    await next;
  };
}

export interface SessionWrites {
  changeSessions(changes: readonly SessionChange[], now: number): null;
}

/** The writer's side. */
export function createSessionWrites(database: Database): SessionWrites {
  const { transaction } = statementsOn(database);
  return {
    changeSessions(changes, now) {
      transaction(() => changeSessions(DIALECT, changes, now));
      return null;
    },
  };
}

/** See LocalStore. Leaves out what concerns this folder alone. */
export function readOwnControl(database: Database): OwnControl | null {
  const rows = (table: string) => database.prepare<[], { readonly name?: string }>(`SELECT * FROM ${table}`).all();
  const stays: ReadonlySet<string | undefined> = new Set([...COPY_NAMES, CLOCK_NAME]);
  const read = database.transaction((): OwnControl | null => {
    const found = Object.fromEntries(CONTROL_TABLES.map((table) => [table, rows(table)])) as Record<
      keyof OwnControl,
      { readonly name?: string }[]
    >;
    if (found.settings.length === 0 && found.token.length === 0) return null;
    return { ...found, kept: found.kept.filter(({ name }) => !stays.has(name)) };
  });
  return translating(() => read());
}

function statementsOn(database: Database) {
  const prepared = new Map<string, Statement<[object], Record<string, unknown>>>();
  function run(sql: string, values: object = {}): Record<string, unknown>[] {
    const statement = prepared.get(sql) ?? database.prepare<[object], Record<string, unknown>>(sql);
    prepared.set(sql, statement);
    if (statement.reader) return statement.all(values);
    statement.run(values);
    return [];
  }
  const inTransaction = database.transaction((work: () => Statements<unknown>) => {
    const statements = work();
    let step = statements.next();
    while (!step.done) step = statements.next(run(...step.value));
    return step.value;
  });
  return { run, transaction: <T>(work: () => Statements<T>) => inTransaction.immediate(work) as T };
}
