import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Status } from '../../extension/background/status.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { type JourneyApp, PASSWORD, startJourneyApp, USER } from '../browser/fixture/journey-app.ts';
import { recordingText } from '../browser/fixture/journey-runs.ts';
import { type ManagedBrowser, type ManagedTab, startManagedBrowser } from '../browser/fixture/managed-browser.ts';
import {
  inspectable,
  MAY_SET_POLICY,
  type SystemPolicy,
  setSystemPolicy,
  WHY_NOT,
} from '../browser/fixture/system-policy.ts';
import { until } from '../browser/fixture/until.ts';
import { run, type Served, startServing, stop } from '../collector/command.ts';

const BASIC = `Basic ${Buffer.from('robot:only-in-the-header').toString('base64')}`;
const SECRETS = [USER, PASSWORD, BASIC, encodeURIComponent(USER)];
const RUN_MS = 90_000;

describe.skipIf(!MAY_SET_POLICY).each(ENGINES)(`a robot declared by policy in %s${WHY_NOT}`, (engine) => {
  let folder: string;
  let app: JourneyApp;
  let server: Served;
  let policy: SystemPolicy;
  let browser: ManagedBrowser;
  let page: ManagedTab;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lastbyte-robot-test-'));
    app = await startJourneyApp();
    server = await startServing(folder);
    const target = { id: 'erp', name: 'ERP', match: [`${app.origin}/*`] };
    const journey = (id: string, recording: unknown) => ({ id, target: 'erp', everyMinutes: 1440, recording });
    const schedule = [
      journey('order', JSON.parse(recordingText('newer-history', app))),
      journey('header', { title: 'Header', steps: [{ type: 'navigate', url: `${app.origin}/basic` }] }),
      journey('lacking', {
        title: 'Lacking',
        steps: [
          { type: 'navigate', url: app.origin },
          { type: 'change', value: '{{other}}', selectors: ['#a'] },
        ],
      }),
    ];
    const settings = join(folder, 'settings.json');
    const delivery = { intervalSeconds: 1 };
    await writeFile(
      settings,
      JSON.stringify({ version: 1, targets: [target], delivery, probes: { enabled: true, schedule } }),
    );
    await lastbyte('settings', 'apply', settings);
    await lastbyte('package', '--collector', server.url, '--failures');
    const { token } = JSON.parse(await lastbyte('token', 'create', '--role', 'ingest', '--json'));
    const unsigned = engine === 'firefox' ? ['--allow-unsigned'] : [];
    const printed = JSON.parse(await lastbyte('policy', engine, '--key', token, '--robot', '--json', ...unsigned));
    const secrets = { variables: { user: USER, password: PASSWORD }, authorization: { [app.origin]: BASIC } };
    const given = printed.policy.replace(/"robot": ?true/, `"robot":true,${JSON.stringify(secrets).slice(1, -1)}`);
    policy = await setSystemPolicy(engine, inspectable(engine, given));
    browser = await startManagedBrowser(engine, printed.extensionId);
    page = await browser.openExtension('options.html');
    await until(
      'the settings are there',
      async () => (await send({ kind: 'refresh' })).probes.length === 3 || null,
      RUN_MS,
    );
  });

  afterAll(async () => {
    await browser?.close();
    await policy?.end();
    if (server) await stop(server);
    await app?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function lastbyte(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await run([...args, '--data', folder]);
    if (code !== 0) throw new Error(`lastbyte ${args.join(' ')}: ${stderr}`);
    return stdout;
  }
  const send = (message: object) =>
    page.evaluate(`(globalThis.browser ?? chrome).runtime.sendMessage(${JSON.stringify(message)})`) as Promise<Status>;
  const outcome = (id: string) => async () => {
    const found = (await send({ kind: 'robot-run', id })).probes.find((probe) => probe.id === id);
    return [found?.result, found?.reason];
  };

  test('it signs in by a form with the values of its policy, and by a header, and says what it lacks', async () => {
    app.fault = {
      answer(path, { headers }, response) {
        if (path === '/basic') response.writeHead(headers.authorization === BASIC ? 200 : 401).end();
        return path === '/basic';
      },
    };
    expect(await outcome('order')()).toEqual(['done', null]);
    expect(app.seen.filter(({ line }) => line === 'POST /login')).toHaveLength(1);
    expect(await outcome('header')()).toEqual(['done', null]);
    expect(await outcome('lacking')()).toEqual(['skipped', 'no_variable']);
    const left = '(globalThis.browser ?? chrome).extension.getViews().map(({ location }) => location.pathname)';
    await until(
      'its page is closed',
      async () => !((await page.evaluate(left)) as string[]).includes('/robot.html') || null,
    );
  });

  test('no secret is at the collector, in what it exports, or in what the extension keeps', async () => {
    const exported = await until('the runs have arrived', async () => {
      const text = await lastbyte('export', '--format', 'ndjson');
      return /"journey":"order"/.test(text) && /"journey":"header"/.test(text) ? text : null;
    });
    const report = await lastbyte('report', '--view', 'probes', '--format', 'json');
    expect(report).toContain('"order"');
    const kept = (await page.evaluate(DUMP)) as string;
    expect(kept).toContain('"run"');
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
    expect(files.length).toBeGreaterThan(3);
    const stored = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')));
    for (const secret of SECRETS) {
      expect(exported + report, secret).not.toContain(secret);
      expect(kept, secret).not.toContain(secret);
      expect(
        stored.filter((text) => text.includes(secret)),
        secret,
      ).toEqual([]);
    }
  });
});

/** All that the extension has stored. */
const DUMP = `(async () => {
  const { storage } = globalThis.browser ?? chrome;
  const all = [await storage.local.get(null), await storage.session.get(null)];
  for (const { name } of await indexedDB.databases()) {
    const database = await new Promise((resolve) => (indexedDB.open(name).onsuccess = ({ target }) => resolve(target.result)));
    for (const store of database.objectStoreNames) {
      const request = database.transaction(store).objectStore(store);
      const [keys, values] = await Promise.all(['getAllKeys', 'getAll'].map((how) =>
        new Promise((resolve) => (request[how]().onsuccess = ({ target }) => resolve(target.result)))));
      all.push(store, keys, values);
    }
    database.close();
  }
  return JSON.stringify(all);
})()`;
