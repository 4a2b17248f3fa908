import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, launch } from 'puppeteer-core';
import { launchChromium } from '../../collector/lab/browser/launch-chromium.ts';
import { ALLOW_EXTENSION_PAGES, loadExtensionPage } from '../../collector/lab/browser/load-extension-page.ts';
import type { TemporaryProfile } from '../../collector/lab/browser/temporary-profile.ts';
import type { BrowserEngine } from '../../shared/vocabulary/vocabulary.ts';
import { executableOf } from '../browser/fixture/engines.ts';

/** Where the recorded extensions know their collector: fixed, because it is in their storage. */
export const COLLECTOR_PORT = 17_643;
export const COLLECTOR = `http://127.0.0.1:${COLLECTOR_PORT}`;
/** Any public key: Chromium makes the extension's id from it, under which its storage lies. */
const CHROMIUM_KEY =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA2SJrjh95rBrMF0coT6QXKF9973+muJJuNf4V64MPqXaGZFBKYemZwrxpM11zj+yv94d5eeYzsFqlz99sR1eicv/wvxZmez8+Yd0BfzGDls8vFcN2oHdhYJWNzLKX3Oh1xRDmGovJ0Dau/Y88SkKX8w2n+j38C85btPw+pb4ARNwUso9GXEfqpMAEJVr9kBe/P8b5nr5UsxDX0+EYgPcUSdSgnGaG6PV0xA6sUzfQPsD+qmKrXJKDbM5HfqSeCrcgyCm9WP5VuJQVJMSasPNHTp2iPPWsMt8wJY2yHYRxNvDq79idqhbloSGrJzmXkx839DuPEWIiNxC67VZwLZG1EwIDAQAB';
const CHROMIUM_ID = 'dhpcaopmafhcgapefdekmpooiplcdojp';
const FIREFOX_ID = 'lastbyte@lastbyte.dev';
const FIREFOX_UUID = '5b1d1c0e-6a43-4a57-9a4e-2f0d3c9b7e11';
/** Of a profile, what holds the extension's own storage. */
export const STORAGE: Readonly<Record<BrowserEngine, readonly string[]>> = {
  chromium: [
    `Default/Local Extension Settings/${CHROMIUM_ID}`,
    `Default/IndexedDB/chrome-extension_${CHROMIUM_ID}_0.indexeddb.leveldb`,
  ],
  firefox: [
    `storage/default/moz-extension+++${FIREFOX_UUID}`,
    `storage/default/moz-extension+++${FIREFOX_UUID}^userContextId=4294967295`,
  ],
};

/**
 * A built extension, ready to be loaded: permitted to measure the app and to reach the collector, with an id that is always
 * the same, and with its clock where the test needs it.
 *
 * @param built such as dist/extension/chromium
 * @param aheadMs from the machine's clock to the extension's
 */
export async function copyExtension(
  engine: BrowserEngine,
  built: string,
  into: string,
  { match, version, aheadMs }: { readonly match: string; readonly version: string; readonly aheadMs: number },
): Promise<void> {
  await cp(built, into, { recursive: true });
  const file = join(into, 'manifest.json');
  const manifest: object = JSON.parse(await readFile(file, 'utf8'));
  const changed = { ...manifest, version, host_permissions: [match, 'http://127.0.0.1/*'] };
  await writeFile(file, JSON.stringify(engine === 'chromium' ? { ...changed, key: CHROMIUM_KEY } : changed));
  const background = join(into, 'background.js');
  await writeFile(
    background,
    `{ const now = Date.now; Date.now = () => now() + ${aheadMs}; }\n${await readFile(background, 'utf8')}`,
  );
}

/** What the extension's pages show. */
export interface ExtensionStatus {
  readonly state: string;
  readonly collector: string | null;
  readonly enrolledBy: string | null;
  readonly site: string;
  readonly client: string | null;
  readonly waiting: number;
  readonly targets: readonly object[];
}

export interface ProfileBrowser {
  open(url: string): Promise<void>;
  status(): Promise<ExtensionStatus>;
  /** As a user does it on the options page. */
  enrol(collector: string, key: string, site: string): Promise<void>;
  /** As a user ends it; a second time is harmless. */
  close(): Promise<void>;
}

/** @param ask evaluates an expression in the options page, and awaits its promise */
function pagesOf(ask: (expression: string) => Promise<unknown>): Pick<ProfileBrowser, 'status' | 'enrol'> {
  const message = (content: object) =>
    ask(`(globalThis.browser ?? chrome).runtime.sendMessage(${JSON.stringify(content)})`);
  return {
    status: () => message({ kind: 'status' }) as Promise<ExtensionStatus>,
    async enrol(collector, key, site) {
      await message({ kind: 'enrol', collector, key, site });
    },
  };
}

/** A browser on a profile that outlives it. */
export function startOnProfile(
  engine: BrowserEngine,
  profile: TemporaryProfile,
  extensionDir: string,
): Promise<ProfileBrowser> {
  return engine === 'chromium' ? startChromium(profile, extensionDir) : startFirefox(profile, extensionDir);
}

async function startChromium(profile: TemporaryProfile, extensionDir: string): Promise<ProfileBrowser> {
  const kept = { ...profile, remove: async () => {} };
  const resolveHosts = { pattern: '*.test', address: '127.0.0.1' };
  const session = await launchChromium(
    {
      engine: 'chromium',
      executable: executableOf('chromium'),
      extensionDir,
      resolveHosts,
      trust: [],
      headless: true,
      extensionPages: true,
    },
    kept,
  );
  return {
    async open(url) {
      await session.open(url);
    },
    ...pagesOf(async (expression) => {
      const tab = await session.open(`chrome-extension://${CHROMIUM_ID}/options.html`);
      return tab.evaluate(expression).finally(() => tab.close());
    }),
    close: () => session.close(),
  };
}

/** The add-on is installed anew at each start, but under the same UUID, so it finds what it had stored. */
async function startFirefox(profile: TemporaryProfile, extensionDir: string): Promise<ProfileBrowser> {
  const browser: Browser = await launch({
    browser: 'firefox',
    executablePath: executableOf('firefox'),
    headless: true,
    userDataDir: profile.dir,
    env: profile.env,
    args: [ALLOW_EXTENSION_PAGES],
    extraPrefsFirefox: {
      'network.dns.forceResolve': '127.0.0.1',
      'extensions.webextensions.uuids': JSON.stringify({ [FIREFOX_ID]: FIREFOX_UUID }),
      // What an extension stored in this browser: without it, Firefox looks for a file of an earlier format.
      [`extensions.webextensions.ExtensionStorageIDB.migrated.${FIREFOX_ID}`]: true,
    },
  });
  await browser.installExtension(extensionDir);
  return {
    async open(url) {
      await (await browser.newPage()).goto(url, { waitUntil: 'load' });
    },
    ...pagesOf(async (expression) => {
      const page = await browser.newPage();
      await loadExtensionPage(page, `moz-extension://${FIREFOX_UUID}/options.html`);
      return page.evaluate(expression).finally(() => page.close());
    }),
    close: () => browser.close(),
  };
}
