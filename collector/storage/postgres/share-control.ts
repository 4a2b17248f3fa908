import type { LocalStore } from '../local-store.ts';
import type { ControlStore, Store, StoreOptions } from '../store.ts';
import { type ConnectionPool, openConnectionPool, type RunQuery } from './connection-pool.ts';
import { parseControlAddress } from './control-address.ts';
import { createControlLink } from './control-link.ts';
import { type ControlWatch, watchControl } from './control-watch.ts';
import { createBatchClaims } from './postgres-claims.ts';
import { createSharedControl } from './postgres-control.ts';
import { expectPrepared, type Prepared, prepareDatabase } from './prepare-database.ts';

/** The same store with its control data in PostgreSQL. Throws a StoreError. */
export async function shareControl(own: LocalStore, address: string, options: StoreOptions): Promise<Store> {
  const pool = openConnectionPool(parseControlAddress(address));
  try {
    const { close, query, ...control } = await (options.as === 'server' ? forServer : forCommand)(pool, own, options);
    let closed: Promise<void> | null = null;
    const closeAll = async () => {
      await close();
      // First, since forwarding claims batches until it has ended.
      await own.close();
      await pool.close();
    };
    own.claimWith((collector) => createBatchClaims(query, collector));
    return { ...own, ...control, close: () => (closed ??= closeAll()) };
  } catch (error) {
    await pool.close();
    throw error;
  }
}

interface OpenControl extends ControlStore {
  /** On a database that has its tables. */
  readonly query: RunQuery;
  close(): Promise<void>;
}

/** Reads and writes the database itself, from the first use on: most commands need little or nothing of it. */
function forCommand(pool: ConnectionPool, own: LocalStore, options: StoreOptions): OpenControl {
  let prepared: Promise<void> | null = null;
  const prepare = async () => {
    const connection = await pool.dedicated();
    try {
      tellPrepared(await prepareDatabase(connection, own.readOwnControl), options);
    } finally {
      await connection.close();
    }
  };
  const ready = () => (prepared ??= prepare());
  const query: RunQuery = async (sql, values) => ready().then(() => pool.query(sql, values));
  return {
    query,
    ...createSharedControl({
      query,
      transaction: async (work) => ready().then(() => pool.transaction(work)),
    }),
    leadership: { lead: async () => null },
    controlStatus: () => ({ awaySince: null, leads: false }),
    close: async () => {},
  };
}

/** Reads settings and tokens from a copy that follows the database. */
async function forServer(pool: ConnectionPool, own: LocalStore, options: StoreOptions): Promise<OpenControl> {
  const data = createSharedControl(pool);
  const { clock = Date.now, monotonic = () => performance.now(), onNotice: notice = () => {} } = options;
  let prepared = false;
  const link = createControlLink(pool, async (connection) => {
    // A database that was emptied since must not empty the copy.
    if (prepared) await expectPrepared(connection);
    else tellPrepared(await prepareDatabase(connection, own.readOwnControl), options);
    prepared = true;
  });
  const watch = await watchControl({ link, source: data, copy: own.controlCopy, clock, monotonic, notice });
  return {
    query: pool.query,
    ...data,
    ...followed(data, watch),
    leadership: {
      async lead(work) {
        const state = link.leading();
        return state === null ? null : work(state);
      },
    },
    controlStatus: () => ({ awaySince: watch.awaySince(), leads: link.leading() !== null }),
    close: () => watch.stop(),
  };
}

const PREPARED: Readonly<Record<Prepared, string | null>> = {
  ready: null,
  copied: 'settings, tokens, views, annotations and alerts of the data folder were copied to the control database',
  own_ignored: "the control database is in use, so the data folder's own settings and tokens are left unused",
};

function tellPrepared(prepared: Prepared, { as, onNotice }: StoreOptions): void {
  const text = PREPARED[prepared];
  // Every command would say again what the server says at its start.
  if (text !== null && (as === 'server' || prepared === 'copied')) onNotice?.(text);
}

/** Settings and tokens, read from the copy and written to the database. */
function followed(
  { settings, tokens }: Pick<ControlStore, 'settings' | 'tokens'>,
  watch: ControlWatch,
): Pick<ControlStore, 'settings' | 'tokens'> {
  const caughtUp = async <T>(written: T): Promise<T> => {
    // It was written; if the database has gone since, the watch has said so, and follows once it is back.
    await watch.refresh().catch(() => undefined);
    return written;
  };
  return {
    settings: {
      ...settings,
      read: async () => watch.settings(),
      write: async (...revision) => caughtUp(await settings.write(...revision)),
    },
    tokens: {
      create: async (token) => caughtUp(await tokens.create(token)),
      findByHash: watch.token,
      list: async () => watch.tokens(),
      revoke: async (id) => caughtUp(await tokens.revoke(id)),
    },
  };
}
