import { describe, expect, onTestFinished, test } from 'vitest';
import { createSessions } from '../../collector/http/auth/sessions.ts';
import { type ControlStore, MAX_SAVED_VIEWS, MAX_SESSIONS_OF_TOKEN } from '../../collector/storage/store.ts';
import { NOW } from '../unit/wire/arbitrary-sample.ts';

export interface OpenControlStore extends ControlStore {
  close(): Promise<void>;
}

/** Opens control data that outlive it: `open` twice in one test gives the same data again. */
export type ControlHarness = () => Promise<{ open(): Promise<OpenControlStore> }>;

/** What every engine has to do with control data, whatever it is made of. */
export function describeControl(engine: string, harness: ControlHarness): void {
  describe(`${engine}: settings`, () => {
    test('revisions count up, and only who knows the newest writes the next', async () => {
      const store = await openOne(harness);
      expect(await store.settings.read()).toBeNull();
      expect(await store.settings.write({ a: 1 }, 1, 10)).toBeNull();
      expect(await store.settings.write({ a: 1 }, null, 10)).toEqual({ revision: 1, at: 10, document: { a: 1 } });
      expect(await store.settings.write({ a: 2 }, null, 11)).toBeNull();
      expect(await store.settings.write({ a: 2 }, 1, 12)).toMatchObject({ revision: 2 });
      expect(await store.settings.read()).toEqual({ revision: 2, at: 12, document: { a: 2 } });
      expect(await store.settings.read()).toBe(await store.settings.read());
    });

    test('earlier revisions are kept with their authors, the newest first', async () => {
      const { open } = await harness();
      const store = await open();
      for (const revision of [1, 2, 3]) {
        await store.settings.write(
          { a: revision },
          revision === 1 ? null : revision - 1,
          10 * revision,
          `by ${revision}`,
        );
      }
      await store.close();
      const again = await open();
      expect(await again.settings.history(2)).toEqual([
        { revision: 3, at: 30, author: 'by 3' },
        { revision: 2, at: 20, author: 'by 2' },
      ]);
      expect(await again.settings.readRevision(1)).toEqual({ revision: 1, at: 10, document: { a: 1 } });
      expect(await again.settings.readRevision(4)).toBeNull();
      await again.close();
    });

    test('a document comes back as it was written', async () => {
      const store = await openOne(harness);
      const document = { z: 1, a: "Grüße 🚀 \u0000 '); DROP TABLE settings; --", nested: { empty: [], none: null } };
      await store.settings.write(document, null, 10);
      expect(JSON.stringify((await store.settings.read())?.document)).toBe(JSON.stringify(document));
    });
  });

  describe(`${engine}: annotations`, () => {
    test('they are listed by time, those that touch a range, and kept until they are removed', async () => {
      const { open } = await harness();
      const store = await open();
      const note = { text: 'release', target: 'erp', host: null, author: 'ci', createdAt: 9 };
      const moment = { ...note, id: 'b', at: 100, until: null };
      const period = { ...note, id: 'a', at: 50, until: 200, target: null, host: 'erp.example.com' };
      expect(await store.annotations.add(moment)).toBe('written');
      expect(await store.annotations.add(period)).toBe('written');
      await store.close();
      const again = await open();
      const ids = async (from: number | null, to: number | null) =>
        (await again.annotations.list({ from, to })).map(({ id }) => id);
      expect(await again.annotations.list({ from: null, to: null })).toEqual([period, moment]);
      expect([
        await ids(100, 101),
        await ids(101, 300),
        await ids(0, 100),
        await ids(201, null),
        await ids(0, 50),
      ]).toEqual([['a', 'b'], ['a'], ['a'], [], []]);
      expect([await again.annotations.remove('a'), await again.annotations.remove('a')]).toEqual([true, false]);
      expect(await ids(null, null)).toEqual(['b']);
    });
  });

  describe(`${engine}: saved views`, () => {
    test('a view is kept under its id and found by name; a name is given once', async () => {
      const { open } = await harness();
      const store = await open();
      const view = { id: 'b', name: 'Week', query: '?range=7d', at: 5, author: 'board' };
      expect(await store.views.write(view)).toBe('written');
      expect(await store.views.write({ ...view, id: 'a', name: 'Day' })).toBe('written');
      expect(await store.views.write({ ...view, id: 'c', name: 'WEEK' })).toBe('name_taken');
      expect(await store.views.write({ ...view, id: 'a', name: 'week' })).toBe('name_taken');
      expect(await store.views.write({ ...view, query: '' })).toBe('written');
      await store.close();
      const again = await open();
      expect(await again.views.list()).toEqual([
        { ...view, id: 'a', name: 'Day' },
        { ...view, query: '' },
      ]);
      expect(await again.views.remove('a')).toBe(true);
      expect(await again.views.remove('a')).toBe(false);
      await again.close();
    });

    test('only ASCII letters are the same in either case, and views are in the order of their bytes', async () => {
      const store = await openOne(harness);
      const names = ['zeta', 'Ärzte', 'ärzte', 'Alpha', 'a b', 'Beta', 'a-a'];
      for (const [index, name] of names.entries()) {
        const view = { id: `${index}`, name, query: '', at: 0, author: '' };
        expect(await store.views.write(view)).toBe('written');
      }
      const listed = (await store.views.list()).map(({ name }) => name);
      expect(listed).toEqual(['a b', 'a-a', 'Alpha', 'Beta', 'zeta', 'Ärzte', 'ärzte']);
    });

    test('there are as many views as MAX_SAVED_VIEWS, and an existing one can still be replaced', async () => {
      const store = await openOne(harness);
      const view = (id: number, name = `view ${id}`) => ({ id: `${id}`, name, query: '', at: 0, author: '' });
      for (let id = 0; id < MAX_SAVED_VIEWS - 1; id++) await store.views.write(view(id));
      const last = await Promise.all([store.views.write(view(1000)), store.views.write(view(1001))]);
      expect(last.sort()).toEqual(['full', 'written']);
      expect(await store.views.write(view(5, 'renamed'))).toBe('written');
      expect(await store.views.list()).toHaveLength(MAX_SAVED_VIEWS);
    });
  });

  describe(`${engine}: tokens`, () => {
    test('a token is found by its hash until it is revoked', async () => {
      const store = await openOne(harness);
      const token = { id: 't1', role: 'read', hash: 'f'.repeat(64), createdAt: 5, label: 'board' } as const;
      await store.tokens.create(token);
      expect(await store.tokens.findByHash(token.hash)).toEqual(token);
      expect(await store.tokens.findByHash('0'.repeat(64))).toBeNull();
      expect(await store.tokens.list()).toEqual([token]);
      expect(await store.tokens.revoke('t1')).toBe(true);
      expect(await store.tokens.revoke('t1')).toBe(false);
      expect(await store.tokens.findByHash(token.hash)).toBeNull();
    });
  });

  describe(`${engine}: sessions`, () => {
    test('a session leads to its token until it ends or is closed', async () => {
      const { open } = await harness();
      const store = await open();
      await store.sessions.open('s1', 'token', 100, 0);
      await store.sessions.open('s2', 'token', 100, 0);
      await store.close();
      const again = await open();
      expect(await again.sessions.find('s1', 99, 100)).toBe('token');
      expect(await again.sessions.find('s1', 100, 200)).toBeNull();
      // A clock that ran ahead opened it.
      expect(await again.sessions.find('s1', 0, 99)).toBeNull();
      expect(await again.sessions.find('s3', 0, 100)).toBeNull();
      await again.sessions.close('s1', 0);
      expect(await again.sessions.find('s1', 0, 100)).toBeNull();
      expect(await again.sessions.find('s2', 0, 100)).toBe('token');
      await again.close();
    });

    test('a session counts at once where the clock is some seconds behind', async () => {
      const { sessions } = await openOne(harness);
      const [here, there] = [createSessions(sessions, () => NOW + 2000), createSessions(sessions, () => NOW)];
      expect(await there.tokenHashOf(await here.open('token'))).toBe('token');
    });

    test('a token with too many sessions loses its oldest one, and no other token any', async () => {
      const store = await openOne(harness);
      await store.sessions.open('other', 'other token', 1, 0);
      const ids = Array.from({ length: MAX_SESSIONS_OF_TOKEN + 1 }, (_, id) => id);
      for (const id of ids) await store.sessions.open(`s${id}`, 'token', 10 + id, 0);
      const found = async (hash: string) => (await store.sessions.find(hash, 0, 1000)) !== null;
      expect([await found('s0'), await found('s1'), await found('other')]).toEqual([false, true, true]);
    });
  });

  describe(`${engine}: state of background work`, () => {
    test('a value is kept under its name', async () => {
      const { open } = await harness();
      const store = await open();
      expect(await store.keyValues.read('a')).toBeNull();
      await store.keyValues.write('a', { n: 1 });
      await store.keyValues.update('a', (value) => ({ n: (value as { n: number }).n + 1 }));
      await store.keyValues.update('b', (value) => [value]);
      await store.close();
      const again = await open();
      expect([await again.keyValues.read('a'), await again.keyValues.read('b')]).toEqual([{ n: 2 }, [null]]);
      await again.close();
    });

    test('of updates at the same time none is lost', async () => {
      const store = await openOne(harness);
      const add = () => store.keyValues.update('n', (value) => ((value as number | null) ?? 0) + 1);
      await Promise.all(Array.from({ length: 20 }, add));
      expect(await store.keyValues.read('n')).toBe(20);
    });
  });
}

async function openOne(harness: ControlHarness): Promise<OpenControlStore> {
  const store = await (await harness()).open();
  onTestFinished(() => store.close());
  return store;
}
