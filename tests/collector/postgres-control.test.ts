import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSessions } from '../../collector/http/auth/sessions.ts';
import { createServerCertificate } from '../../collector/lab/servers/server-certificate.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { openConnectionPool, type RunQuery } from '../../collector/storage/postgres/connection-pool.ts';
import { parseControlAddress } from '../../collector/storage/postgres/control-address.ts';
import { createControlLink } from '../../collector/storage/postgres/control-link.ts';
import { createBatchClaims } from '../../collector/storage/postgres/postgres-claims.ts';
import type { KeyValueState, Role, Store, StoredToken, StoreOptions } from '../../collector/storage/store.ts';
import { describeControl } from './control-conformance.ts';
import { POSTGRES, type PostgresServer, startPostgres, WHY_NOT } from './postgres-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Some moments after a cause, ms: collectors look for changes every second. */
const SOON = { timeout: 30_000, interval: 50 };

describe.skipIf(POSTGRES === null)(`control data in PostgreSQL${WHY_NOT}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  /** A language's order of letters, and one that is told by their bytes. */
  const english = "TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'";
  for (const [as, options] of [
    ['server', english],
    ['command', ''],
  ] as const) {
    describeControl(`postgresql, ${as}`, async () => {
      const [folder, control] = [await temporaryFolder(), await server.createDatabase(options)];
      return { open: () => openStore({ folder, as, control }) };
    });
  }

  interface Collector {
    readonly store: Store;
    readonly folder: string;
    readonly notices: readonly string[];
  }

  /** A server with a data folder of its own. */
  async function collector(control: string | undefined, options: Partial<StoreOptions> = {}): Promise<Collector> {
    const folder = options.folder ?? (await temporaryFolder());
    const notices: string[] = [];
    const store = await openStore({
      folder,
      as: 'server',
      control,
      onNotice: (text) => notices.push(text),
      ...options,
    });
    onTestFinished(() => store.close());
    return { store, folder, notices };
  }

  const leads = ({ store }: Collector) => store.controlStatus()?.leads;
  const isAway = ({ store }: Collector) => store.controlStatus()?.awaySince !== null;

  /** Its connection that leads is cut off. */
  async function cutLeader(control: string): Promise<void> {
    const operator = await server.connect(control);
    await operator.query("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted");
    await operator.end();
  }

  test('of collectors that change the same revision of the settings at once, exactly one succeeds', async () => {
    const control = await server.createDatabase();
    const [a, b] = [await collector(control), await collector(control)];
    for (let revision = 0; revision < 20; revision++) {
      const expected = revision === 0 ? null : revision;
      const writes = [a, b, a, b].map(({ store }, by) => store.settings.write({ by }, expected, revision, `${by}`));
      const written = (await Promise.all(writes)).filter((one) => one !== null);
      expect(written).toHaveLength(1);
      expect(written[0]?.revision).toBe(revision + 1);
      await vi.waitFor(async () => {
        for (const { store } of [a, b]) expect(await store.settings.read()).toEqual(written[0]);
      }, SOON);
    }
    expect(await a.store.settings.history(100)).toHaveLength(20);
  });

  test('collectors that start at once on an empty database set it up once', async () => {
    const control = await server.createDatabase();
    const all = await Promise.all([1, 2, 3, 4].map(() => collector(control)));
    await all[0]?.store.tokens.create(tokenOf('read'));
    for (const { store } of all) await vi.waitFor(() => expect(store.tokens.list()).resolves.toHaveLength(1), SOON);
    expect(all.filter(leads)).toHaveLength(1);
  });

  test('a token is known to every collector at once, and revoked at every one within moments', async () => {
    const control = await server.createDatabase();
    const [a, b] = [await collector(control), await collector(control)];
    const token = tokenOf('ingest');
    await a.store.tokens.create(token);
    expect(await b.store.tokens.findByHash(token.hash)).toEqual(token);
    expect(await b.store.tokens.revoke(token.id)).toBe(true);
    expect(await b.store.tokens.findByHash(token.hash)).toBeNull();
    await vi.waitFor(() => expect(a.store.tokens.findByHash(token.hash)).resolves.toBeNull(), SOON);
    await a.store.tokens.create(token);
    const command = await openStore({ folder: a.folder, as: 'command', control });
    await command.tokens.revoke(token.id);
    await command.close();
    await vi.waitFor(() => expect(b.store.tokens.findByHash(token.hash)).resolves.toBeNull(), SOON);
  });

  test('while the database is away, known tokens and settings stay in force; everything is back with it', async () => {
    const control = await server.createDatabase();
    const at = Date.now();
    const a = await collector(control);
    const token = tokenOf('ingest');
    await a.store.tokens.create(token);
    const written = await a.store.settings.write({ version: 1 }, null, at);
    const refusal = { name: 'StoreError', code: 'control_unreachable' };
    await server.kill();
    await vi.waitFor(() => expect(isAway(a)).toBe(true), SOON);
    try {
      expect(a.store.controlStatus()?.awaySince).toBeGreaterThanOrEqual(at);
      expect(await a.store.tokens.findByHash(token.hash)).toEqual(token);
      expect(await a.store.settings.read()).toEqual(written);
      // It may have been created since: as if unknown, browsers would give their key up.
      await expect(a.store.tokens.findByHash('0'.repeat(64))).rejects.toMatchObject(refusal);
      await expect(a.store.settings.write({ version: 1 }, 1, at)).rejects.toMatchObject(refusal);
      await expect(a.store.sessions.find('s', 0, 1)).rejects.toMatchObject(refusal);
      expect(await a.store.leadership.lead(async () => 'led')).toBeNull();
      await a.store.ready();

      // One that starts meanwhile goes on with what it last knew.
      await a.store.close();
      const again = await collector(control, { folder: a.folder });
      expect([isAway(again), leads(again)]).toEqual([true, false]);
      expect(await again.store.tokens.findByHash(token.hash)).toEqual(token);
      expect(await again.store.settings.read()).toEqual(written);
      expect(again.notices).toEqual([expect.stringMatching(/unreachable \(ECONNREFUSED\): batches are accepted/)]);
      // One that never knew anything does not start.
      await expect(collector(control)).rejects.toMatchObject(refusal);

      await server.start();
      await vi.waitFor(() => expect([isAway(again), leads(again)]).toEqual([false, true]), SOON);
      expect(again.notices).toContain('the control database can be reached again');
      expect(await again.store.tokens.findByHash('0'.repeat(64))).toBeNull();
      expect(await again.store.settings.write({ version: 1 }, 1, at)).toMatchObject({ revision: 2 });
    } finally {
      await server.start();
    }
  });

  test('tokens that may have been revoked a day ago are refused', async () => {
    const control = await server.createDatabase();
    const clock = { ms: 0 };
    const a = await collector(control, { monotonic: () => clock.ms });
    const token = tokenOf('ingest');
    await a.store.tokens.create(token);
    await server.kill();
    try {
      await vi.waitFor(() => expect(isAway(a)).toBe(true), SOON);
      clock.ms += 24 * 3_600_000;
      expect(await a.store.tokens.findByHash(token.hash)).toEqual(token);
      clock.ms += 1;
      await expect(a.store.tokens.findByHash(token.hash)).rejects.toMatchObject({ code: 'control_unreachable' });
    } finally {
      await server.start();
    }
    await vi.waitFor(() => expect(a.store.tokens.findByHash(token.hash)).resolves.toEqual(token), SOON);
  });

  test('one collector leads; when it stops, another one does', async () => {
    const control = await server.createDatabase();
    const a = await collector(control);
    const b = await collector(control);
    expect([leads(a), leads(b)]).toEqual([true, false]);
    expect(await a.store.leadership.lead(async () => 'a')).toBe('a');
    expect(await b.store.leadership.lead(async () => 'b')).toBeNull();
    await a.store.close();
    await vi.waitFor(() => expect(b.store.leadership.lead(async () => 'b')).resolves.toBe('b'), SOON);
    expect(b.notices.at(-1)).toBe('this collector runs the alerts and scheduled reports');
  });

  test('a collector whose connection was cut writes nothing any more as leader', async () => {
    const control = await server.createDatabase();
    const [a, b] = [await collector(control), await collector(control)];
    const before = await stateOf(a);
    await before.write('alerts', 'from before');
    expect(await stateOf(a)).toBe(before);
    await cutLeader(control);
    await expect(before.write('alerts', 'too late')).rejects.toMatchObject({ code: 'control_unreachable' });
    await expect(before.update('alerts', () => 'too late')).rejects.toMatchObject({ name: 'StoreError' });
    expect(await b.store.keyValues.read('alerts')).toBe('from before');
    const one = () => [a, b].find(leads);
    await vi.waitFor(() => expect(one()).toBeDefined(), SOON);
    // If it leads again, it is told by another object: another one may have led in between.
    expect(await stateOf(one() ?? a)).not.toBe(before);
    expect([a, b].filter(leads)).toHaveLength(1);
  });

  test('after PostgreSQL was killed and started again, exactly one collector leads', async () => {
    const control = await server.createDatabase();
    const all = [await collector(control), await collector(control), await collector(control)];
    for (let round = 0; round < 3; round++) {
      await server.kill();
      await vi.waitFor(() => expect(all.map(isAway)).toEqual([true, true, true]), SOON);
      expect(all.filter(leads)).toHaveLength(0);
      await server.start();
      await vi.waitFor(() => {
        expect(all.map(isAway)).toEqual([false, false, false]);
        expect(all.filter(leads)).toHaveLength(1);
      }, SOON);
    }
  });

  test('beside a standby no collector leads, until it is the primary', async () => {
    const control = await server.createDatabase();
    const { folder, store } = await collector(control);
    await store.close();
    await server.kill();
    await server.start('standby');
    try {
      const a = await collector(control, { folder });
      expect([isAway(a), leads(a)]).toEqual([true, false]);
      expect(a.notices).toEqual([expect.stringContaining('unreachable (it is a standby)')]);
      await server.kill();
      await server.start();
      await vi.waitFor(() => expect([isAway(a), leads(a)]).toEqual([false, true]), SOON);
    } finally {
      await server.kill();
      await server.start();
    }
  });

  test('a leader whose network fell silent gives up, and goes on once it is back', async () => {
    const control = new URL(await server.createDatabase());
    const network = await silenceable(Number(control.port));
    control.port = `${network.port}`;
    const a = await collector(control.href);
    expect(leads(a)).toBe(true);
    network.silence(true);
    await vi.waitFor(() => expect([isAway(a), leads(a)]).toEqual([true, false]), SOON);
    network.silence(false);
    await vi.waitFor(() => expect([isAway(a), leads(a)]).toEqual([false, true]), SOON);
  });

  test('a clock half a day ahead at one collector ends no session; expired sessions are removed', async () => {
    const control = await server.createDatabase();
    const { store } = await collector(control);
    const here = createSessions(store.sessions, Date.now);
    const ahead = createSessions(store.sessions, () => Date.now() + 13 * 3_600_000);
    const id = await here.open('token');
    await store.sessions.open('ended', 'token', Date.now() - 1000, Date.now() - 2000);
    await ahead.close(await ahead.open('other'));
    expect(await here.tokenHashOf(id)).toBe('token');
    const operator = await server.connect(control);
    expect((await operator.query('SELECT hash FROM lastbyte.session')).rows).toHaveLength(1);
    await operator.end();
  });

  test('a leader that stands still is succeeded by one that goes on', async () => {
    const control = await server.createDatabase();
    await (await collector(control)).store.close();
    const pool = openConnectionPool(parseControlAddress(control));
    const newLink = () => createControlLink(pool, async () => {}, 3000);
    const [still, other] = [newLink(), newLink()];
    onTestFinished(async () => {
      await Promise.all([still, other].map((link) => link.close()));
      await pool.close();
    });
    await still.poll();
    await other.poll();
    expect([still, other].map((link) => link.leading() !== null)).toEqual([true, false]);
    await vi.waitFor(async () => {
      await other.poll();
      expect(other.leading()).not.toBeNull();
    }, SOON);
    await vi.waitFor(() => expect(still.leading()).toBeNull(), SOON);
  });

  test('a transaction that goes no further does not keep others waiting for long', async () => {
    const control = new URL(await server.createDatabase());
    await (await collector(control.href)).store.close();
    const network = await silenceable(Number(control.port));
    const gone = openConnectionPool({ ...parseControlAddress(control.href), port: network.port });
    onTestFinished(() => gone.close());
    const silenced = gone.transaction(async (query) => {
      await query('LOCK TABLE lastbyte.kept IN SHARE ROW EXCLUSIVE MODE');
      network.silence(true);
      await query('SELECT 1');
    });
    await expect(silenced).rejects.toMatchObject({ code: 'control_unreachable' });
    const { store } = await collector(control.href);
    await vi.waitFor(() => store.keyValues.update('n', () => 1), SOON);
  }, 60_000);

  test("the first collector's own control data are copied, once; its data folder keeps them", async () => {
    const control = await server.createDatabase();
    const [alone, folder] = await ownData('first');
    // PostgreSQL has no text with U+0000.
    const copied = alone.tokens.map((token) => ({ ...token, label: '\ufffd of first' }));
    const a = await collector(control, { folder });
    expect(a.notices).toContainEqual(expect.stringContaining('were copied to the control database'));
    expect(await a.store.settings.history(10)).toEqual(alone.history);
    expect(await a.store.settings.read()).toEqual(alone.settings);
    expect(await a.store.tokens.list()).toEqual(copied);
    expect(await a.store.views.list()).toEqual(alone.views);
    expect(await a.store.annotations.list({ from: null, to: null })).toEqual(alone.annotations);
    expect(await a.store.keyValues.read('alerts')).toEqual({ of: 'first' });
    expect(await a.store.sessions.find('s first', 0, 2e12)).toBe('hash first');
    await a.store.settings.write({ version: 1, n: 3 }, 2, 3);

    const [other, otherFolder] = await ownData('second');
    const b = await collector(control, { folder: otherFolder });
    expect(b.notices).toContainEqual(expect.stringContaining("data folder's own settings and tokens are left unused"));
    expect(await b.store.settings.read()).toMatchObject({ revision: 3 });
    expect(await b.store.tokens.list()).toEqual(copied);
    await b.store.close();
    const back = await collector(undefined, { folder: otherFolder });
    expect(await back.store.tokens.list()).toEqual(other.tokens);
    expect(await back.store.settings.read()).toEqual(other.settings);
  });

  test('a database that was emptied behind a running collector takes nothing from it', async () => {
    const control = await server.createDatabase();
    const a = await collector(control);
    const token = tokenOf('ingest');
    await a.store.tokens.create(token);
    const operator = await server.connect(control);
    await operator.query('DROP SCHEMA lastbyte CASCADE');
    await operator.end();
    await vi.waitFor(() => expect(isAway(a)).toBe(true), SOON);
    await vi.waitFor(async () => {
      await expect(a.store.tokens.findByHash('0'.repeat(64))).rejects.toMatchObject({ code: 'control_refused' });
    }, SOON);
    expect(await a.store.tokens.findByHash(token.hash)).toEqual(token);
  });

  test('what keeps a collector from using the database is said, with what to do and without the password', async () => {
    const control = await server.createDatabase();
    const wrong = new URL(control);
    wrong.password = 'guessed';
    const missing = new URL(control);
    missing.pathname = '/nowhere';
    const plain = new URL(control);
    plain.searchParams.set('sslmode', 'verify-full');
    const operator = await server.connect(control);
    await operator.query('CREATE ROLE reader LOGIN PASSWORD $$reader$$');
    await operator.end();
    const poor = new URL(control);
    [poor.username, poor.password] = ['reader', 'reader'];
    const failures: string[] = [];
    for (const address of [wrong, missing, plain, poor]) {
      const error: Error & { code?: string; hint?: string } = await collector(address.href).then(
        () => new Error('it was opened'),
        (refusal) => refusal,
      );
      failures.push(`${error.code}: ${error.message}. ${error.hint}`);
      expect(failures.at(-1)).not.toMatch(/guessed|not%20|not &/);
    }
    const login =
      'Check user, password (PGPASSWORD) and database; the user has to own the database or its schema lastbyte.';
    expect(failures).toEqual([
      `control_refused: the control database refuses this collector (password authentication failed for user "lastbyte"). ${login}`,
      `control_refused: the control database refuses this collector (database "nowhere" does not exist). ${login}`,
      expect.stringMatching(/^control_refused: .*does not support SSL connections\). Check sslrootcert/),
      `control_refused: the control database refuses this collector (permission denied for database d${control.split('/d').at(-1)}). ${login}`,
    ]);
  });

  test('over TLS a server is used only if its certificate is the right one', async () => {
    const control = await server.createDatabase();
    const { chain, key, authority } = await createServerCertificate(['localhost'], Date.now());
    const ca = join(await temporaryFolder(), 'ca.pem');
    await writeFile(ca, authority);
    const files = {
      ssl_cert_file: await server.writeSecret('cert', chain),
      ssl_key_file: await server.writeSecret('key', key),
    };
    const operator = await server.connect(control);
    for (const [name, file] of Object.entries(files)) await operator.query(`ALTER SYSTEM SET ${name} = '${file}'`);
    await operator.query('ALTER SYSTEM SET ssl = on');
    await operator.query('SELECT pg_reload_conf()');
    onTestFinished(async () => {
      await operator.query('ALTER SYSTEM RESET ALL');
      await operator.query('SELECT pg_reload_conf()');
      await operator.end();
    });
    const asked = (host: string, parameters: Record<string, string>) => {
      const url = new URL(control);
      url.hostname = host;
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return collector(url.href);
    };
    await vi.waitFor(async () => {
      const { store } = await asked('localhost', { sslrootcert: ca });
      await store.settings.write({ version: 1 }, null, 1);
    }, SOON);
    const refusal = { code: 'control_refused', hint: expect.stringContaining('sslrootcert') };
    // Another name than the certificate's, and an authority that no one vouches for.
    await expect(asked('127.0.0.1', { sslrootcert: ca })).rejects.toMatchObject(refusal);
    await expect(asked('localhost', { sslmode: 'verify-full' })).rejects.toMatchObject(refusal);
    const encrypted = await operator.query(
      "SELECT bool_and(ssl) AS all FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'lastbyte' AND datname = current_database()",
    );
    expect(encrypted.rows).toEqual([{ all: true }]);
  });

  test('a database of a newer Lastbyte is left alone', async () => {
    const control = await server.createDatabase();
    await (await collector(control)).store.close();
    const operator = await server.connect(control);
    await operator.query('UPDATE lastbyte.version SET version = 999');
    await operator.end();
    await expect(collector(control)).rejects.toMatchObject({ code: 'store_too_new' });
  });

  test('claims of a month ago are forgotten in slices, until it stops', async () => {
    const control = await server.createDatabase();
    await collector(control);
    const operator = await server.connect(control);
    onTestFinished(() => operator.end());
    await operator.query(
      `INSERT INTO lastbyte.batch SELECT gen_random_uuid(), gen_random_uuid(), now() - interval '32 days' FROM generate_series(1, 25000)`,
    );
    await operator.query('INSERT INTO lastbyte.batch VALUES (gen_random_uuid(), gen_random_uuid())');
    const left: number[] = [];
    const count = async () => {
      const { rows } = await operator.query('SELECT count(*)::int AS n FROM lastbyte.batch');
      left.push((rows[0] as { n: number }).n);
    };
    const query: RunQuery = async (sql, values) => {
      const { rows } = await operator.query(sql, values as unknown[]);
      await count();
      return rows;
    };
    const claims = createBatchClaims(query, randomUUID());
    await claims.forget(() => left.length > 0);
    expect(left).toEqual([15_001]);
    await claims.forget();
    expect(left).toEqual([15_001, 5001, 1]);
  });

  interface OwnData {
    readonly history: Awaited<ReturnType<Store['settings']['history']>>;
    readonly settings: Awaited<ReturnType<Store['settings']['read']>>;
    readonly tokens: Awaited<ReturnType<Store['tokens']['list']>>;
    readonly views: Awaited<ReturnType<Store['views']['list']>>;
    readonly annotations: Awaited<ReturnType<Store['annotations']['list']>>;
  }

  /** What a collector on its own has written to its folder. */
  async function ownData(name: string): Promise<[OwnData, string]> {
    const folder = await temporaryFolder();
    const store = await openStore({ folder, as: 'server' });
    for (const n of [1, 2]) await store.settings.write({ version: 1, n }, n === 1 ? null : 1, n, name);
    await store.tokens.create({ ...tokenOf('admin'), label: `\0 of ${name}` });
    await store.views.write({ id: name, name, query: '?a=1', at: 5, author: name });
    const about = { text: name, target: null, host: 'a.example', author: name, createdAt: 1 };
    await store.annotations.add({ ...about, id: name, at: 5, until: null });
    await store.keyValues.write('alerts', { of: name });
    await store.sessions.open(`s ${name}`, `hash ${name}`, 1e12, 0);
    const own = {
      history: await store.settings.history(10),
      settings: await store.settings.read(),
      tokens: await store.tokens.list(),
      views: await store.views.list(),
      annotations: await store.annotations.list({ from: null, to: null }),
    };
    await store.close();
    return [own, folder];
  }
});

/** A way to the server that can swallow everything, as a network without a route does: nothing is answered or refused. */
async function silenceable(to: number) {
  const ends = new Set<Socket>();
  let silent = false;
  const proxy = createServer((here) => {
    const there = connect(to, '127.0.0.1');
    for (const [from, into] of [
      [here, there],
      [there, here],
    ] as const) {
      ends.add(from);
      if (silent) from.pause();
      from.on('data', (data) => into.write(data));
      from.on('error', () => into.destroy());
      from.on('close', () => {
        ends.delete(from);
        into.destroy();
      });
    }
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    proxy.close();
    for (const end of ends) end.destroy();
  });
  return {
    port: (proxy.address() as AddressInfo).port,
    silence(on: boolean) {
      silent = on;
      for (const end of ends) {
        if (on) end.pause();
        else end.resume();
      }
    },
  };
}

function tokenOf(role: Role): StoredToken {
  return { id: randomUUID(), role, hash: randomUUID(), createdAt: 5, label: role };
}

async function stateOf({ store }: { readonly store: Store }): Promise<KeyValueState> {
  const state = await store.leadership.lead(async (kept) => kept);
  if (state === null) throw new Error('it does not lead');
  return state;
}
