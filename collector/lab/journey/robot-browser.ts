import { type Browser, launch, type Page } from 'puppeteer-core';
import type { BrowserEngine } from '../../../shared/vocabulary/vocabulary.ts';
import { startFailure } from '../browser/launch-browser.ts';
import { createTemporaryProfile } from '../browser/temporary-profile.ts';

export interface RobotBrowser {
  readonly browser: Browser;
  readonly page: Page;
  /** Such as `156.0.8078.79`. */
  readonly version: string;
  /** Ends the browser, whatever it is doing, and removes its profile. Calling it twice is harmless. */
  close(): Promise<void>;
}

export interface RobotOptions {
  readonly engine: BrowserEngine;
  readonly executable: string;
  readonly headless: boolean;
}

/** A browser that is busy may ignore that it is to close. */
const CLOSE_MS = 5_000;
const VIEWPORT = { width: 1280, height: 900 };

/** Denies every permission request: a prompt would wait forever for an answer. */
const FIREFOX_PREFERENCES = {
  'permissions.default.geo': 2,
  'permissions.default.desktop-notification': 2,
  'permissions.default.camera': 2,
  'permissions.default.microphone': 2,
  'signon.rememberSignons': false,
};
const CHROMIUM_ARGUMENTS = [
  '--no-sandbox', // as root, and in containers without user namespaces
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--deny-permission-prompts',
];

/**
 * A browser with a fresh profile and one empty tab, driven by trusted input: Chromium by its own protocol, Firefox by WebDriver
 * BiDi.
 * @throws CommandFailure
 */
export async function launchRobot({ engine, executable, headless }: RobotOptions): Promise<RobotBrowser> {
  const profile = await createTemporaryProfile(engine);
  try {
    const browser = await launch({
      browser: engine === 'chromium' ? 'chrome' : 'firefox',
      executablePath: executable,
      // The caller decides what Ctrl-C does: the driver's handler would end the whole process.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      headless,
      userDataDir: profile.dir,
      env: profile.env,
      args: engine === 'chromium' ? CHROMIUM_ARGUMENTS : [],
      defaultViewport: headless ? VIEWPORT : null,
      extraPrefsFirefox: FIREFOX_PREFERENCES,
      downloadBehavior: { policy: 'deny' },
    });
    let closed: Promise<void> | null = null;
    const close = async () => {
      const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref());
      // A browser that is gone already has nothing to close.
      await Promise.race([browser.close().catch(() => {}), late]);
      browser.process()?.kill('SIGKILL');
      await profile.remove();
    };
    try {
      const [first] = await browser.pages();
      // The first tab of Firefox never has the focus, without which fields tell no change.
      const page = await browser.newPage();
      await first?.close();
      const version = (await browser.version()).replace(/^[^/]*\//, '').replace(/\/.*$/, '');
      return { browser, page, version, close: () => (closed ??= close()) };
    } catch (error) {
      await close();
      throw error;
    }
  } catch (cause) {
    await profile.remove();
    throw startFailure(executable, cause);
  }
}
