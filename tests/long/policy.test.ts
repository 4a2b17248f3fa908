import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SummaryDocument } from '../../collector/analysis/summary/summary-document.ts';
import type { FleetDocument, SeenBrowser } from '../../collector/questions/fleet.ts';
import type { Status } from '../../extension/background/status.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { type ManagedBrowser, type ManagedTab, startManagedBrowser } from '../browser/fixture/managed-browser.ts';
import {
  inspectable,
  MAY_SET_POLICY,
  type SystemPolicy,
  setSystemPolicy,
  WHY_NOT,
} from '../browser/fixture/system-policy.ts';
import { startTestApp, type TestApp } from '../browser/fixture/test-app.ts';
import { until } from '../browser/fixture/until.ts';
import { run, type Served, startServing, stop } from '../collector/command.ts';

const SITE = 'Büro Wien 3';
const { version: OWN_VERSION } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const [FIRST_VERSION, SECOND_VERSION] = [`${OWN_VERSION}.1`, `${OWN_VERSION}.2`];
const UNSIGNED = { chromium: [], firefox: ['--allow-unsigned'] };
const APP = { id: 'app', name: 'App', match: ['http://app.policy.test/*'] };
/** In the settings, and not in the package: what an administrator adds later. */
const ADDED = { id: 'added', name: 'Added later', match: ['http://added.policy.test/*'] };

describe.skipIf(!MAY_SET_POLICY).each(ENGINES)(`rolled out by policy to %s${WHY_NOT}`, (engine) => {
  let folder: string;
  let app: TestApp;
  let server: Served;
  let policy: SystemPolicy;
  let browser: ManagedBrowser;
  let printed: { extensionId: string; installFrom: string; policy: string };
  let ingest: string;
  let read: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lastbyte-policy-test-'));
    app = await startTestApp({ tls: null, roundTripMs: 0, pages: { '/': '<title>a page</title>' } });
    server = await startServing(folder);
    ingest = await token('ingest');
    read = await token('read');
    await lastbyte('settings', 'apply', await settings(APP, ADDED));
    await lastbyte('package', '--targets', await settings(APP), '--collector', server.url);
    printed = JSON.parse(
      await lastbyte(
        'policy',
        engine,
        '--key',
        ingest,
        '--site',
        SITE,
        '--share',
        '100',
        '--json',
        ...UNSIGNED[engine],
      ),
    );
    policy = await setSystemPolicy(engine, inspectable(engine, printed.policy));
    browser = await startManagedBrowser(engine, printed.extensionId);
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
  async function token(role: string): Promise<string> {
    return JSON.parse(await lastbyte('token', 'create', '--role', role, '--json')).token;
  }
  async function settings(...targets: object[]): Promise<string> {
    const file = join(folder, `settings-${targets.length}.json`);
    await writeFile(file, JSON.stringify({ version: 1, targets, delivery: { intervalSeconds: 1 } }));
    return file;
  }
  async function summary(): Promise<SummaryDocument> {
    const answer = await fetch(`${server.url}/api/v1/summary?by=host,site`, {
      headers: { authorization: `Bearer ${read}` },
    });
    return (await answer.json()) as SummaryDocument;
  }

  const ask = (page: ManagedTab, call: string) => page.evaluate(`(globalThis.browser ?? chrome).${call}`);

  /** What the extension itself says of its state. */
  async function status(page: ManagedTab): Promise<Status> {
    return (await ask(page, `runtime.sendMessage({ kind: 'status' })`)) as Status;
  }

  async function arrived(host: string): Promise<string | null> {
    const cell = (await summary()).cells.find((each) => each.host === host);
    return cell ? String(cell.site) : null;
  }

  /** What the collector knows of the one browser there is. */
  async function fleet(): Promise<SeenBrowser | null> {
    const headers = { authorization: `Bearer ${server.adminToken}` };
    const answer = await fetch(`${server.url}/api/v1/fleet`, { headers });
    return ((await answer.json()) as FleetDocument).named?.[0] ?? null;
  }

  test('it comes from the collector by itself, knows its collector, and may do what the package asks for and no more', async () => {
    const page = await browser.openExtension('options.html');
    // Chromium was seen to know nothing of it for a moment after the installation.
    const managed = await until('the policy is read', async () => {
      const read = (await ask(page, 'storage.managed.get(null)')) as Record<string, unknown>;
      return Object.keys(read).length > 0 ? read : null;
    });
    expect(managed).toEqual({ collector: server.url, key: ingest, site: SITE, share: 100 });
    const { origins } = (await ask(page, 'permissions.getAll()')) as { origins: string[] };
    expect(origins.sort()).toEqual(['http://127.0.0.1/*', 'http://app.policy.test/*']);
    for (const [{ match }, granted] of [
      [APP, true],
      [ADDED, false],
    ] as const) {
      expect(await ask(page, `permissions.contains(${JSON.stringify({ origins: match })})`)).toBe(granted);
    }
    await page.close();
  });

  test('a sample of the first page arrives under the label of the site', async () => {
    const visit = await browser.open(`http://app.policy.test:${app.port}/`);
    expect(await until('the sample arrives', () => arrived('app.policy.test'))).toBe(SITE);
    await visit.close();
  });

  test('what the package does not ask for is not measured, and the user and the extension say so', async () => {
    const visit = await browser.open(`http://added.policy.test:${app.port}/`);
    const page = await browser.openExtension('options.html');
    const said = await until('the settings are there', async () => {
      const now = await status(page);
      return now.state === 'degraded' ? now : null;
    });
    expect(said.capture).toMatchObject({ granted: APP.match, missing: ADDED.match });
    const words = await ask(page, `i18n.getMessage('state_degraded')`);
    expect(words).toMatch(/\w/);
    await page.close();
    const again = await browser.openExtension('options.html');
    const state = () => again.evaluate('document.getElementById("state").textContent');
    await until('the page shows it', async () => (await state()) === words);
    await Promise.all([visit.close(), again.close()]);
    expect(await arrived('added.policy.test')).toBeNull();
    const next = await browser.open(`http://app.policy.test:${app.port}/`);
    const reported = await until('it says so to the collector', async () => {
      const seen = await fleet();
      return seen?.state === 'degraded' ? seen : null;
    });
    expect(reported).toMatchObject({ site: SITE, extensionVersion: FIRST_VERSION });
    await next.close();
  });

  test('the policy wins over what a user writes, whose fields are read-only', async () => {
    const page = await browser.openExtension('options.html');
    const mine = { collector: 'http://127.0.0.1:9', key: 'mine', site: 'mine' };
    await ask(page, `runtime.sendMessage(${JSON.stringify({ kind: 'enrol', ...mine })})`);
    expect(await status(page)).toMatchObject({ enrolledBy: 'policy', collector: server.url });
    await page.close();
    const again = await browser.openExtension('options.html');
    const fields = await until('the page shows it', async () => {
      const shown = await again.evaluate(`['collector', 'key', 'site'].map((id) => document.getElementById(id)).map(
        ({ disabled, readOnly, value }) => [disabled || readOnly, value])`);
      return (shown as [boolean, string][]).every(([locked]) => locked) ? (shown as [boolean, string][]) : null;
    });
    expect(fields[0]?.[1]).toBe(server.url);
    expect(JSON.stringify(fields)).not.toMatch(/mine|lb_ingest/);
    await again.close();
  });

  // Firefox takes updates over https only.
  if (engine === 'firefox') return;

  test('outside the share of the policy it measures nothing and says so, until the share has grown, without a restart', async () => {
    const printedWith = (share: string) =>
      lastbyte('policy', engine, '--key', ingest, '--site', SITE, '--share', share);
    const page = await browser.openExtension('options.html');
    await policy.change(inspectable(engine, await printedWith('0')));
    await until('it stops', async () => (await status(page)).state === 'paused');
    const popup = await browser.openExtension('popup.html');
    const shown = (id: string) => popup.evaluate(`document.getElementById('${id}').textContent`);
    const words = await ask(page, `i18n.getMessage('paused_turn')`);
    await until('the popup says so', async () => (await shown('state')) === words);
    expect(await shown('pause')).toBe('');
    expect((await status(page)).capture.granted).toEqual([]);
    await policy.change(inspectable(engine, await printedWith('100')));
    await until('it measures', async () => (await status(page)).state === 'degraded');
    expect((await status(page)).capture.granted).toEqual(APP.match);
    await Promise.all([page.close(), popup.close()]);
  });

  test('packaged anew it updates itself, and may do more without a question', async () => {
    await lastbyte('package', '--targets', await settings(APP, ADDED), '--collector', server.url);
    const page = await browser.openExtension('options.html');
    // Without this it would ask by itself within five hours.
    const found = `new Promise((resolve) => {
      chrome.runtime.onUpdateAvailable.addListener(({ version }) => resolve(version));
      chrome.runtime.requestUpdateCheck();
    })`;
    expect(await page.evaluate(found)).toBe(SECOND_VERSION);
    await ask(page, 'runtime.reload()').catch(() => {}); // takes its own page away
    const updated = await until('the new version runs', async () => {
      const opened = await browser.openExtension('options.html');
      if ((await ask(opened, 'runtime.getManifest().version')) === SECOND_VERSION) return opened;
      await opened.close();
      return null;
    });
    await until('nothing is missing', async () => (await status(updated)).state === 'collecting');
    await updated.close();
    await browser.open(`http://added.policy.test:${app.port}/`);
    expect(await until('the sample arrives', () => arrived('added.policy.test'))).toBe(SITE);
    await until('the collector knows', async () => {
      const seen = await fleet();
      return seen?.state === 'collecting' && seen.extensionVersion === SECOND_VERSION;
    });
  });

  test('once the policy is taken away it is gone', async () => {
    await policy.change(inspectable(engine, '{}'));
    const url = `chrome-extension://${printed.extensionId}/options.html`;
    await until('its pages cannot be opened any more', async () => {
      const page = await browser.open(url).catch(() => null);
      await page?.close();
      return page === null;
    });
    // Others can.
    await (await browser.open(`http://app.policy.test:${app.port}/`)).close();
  });
});
