import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, launch, type Page } from 'puppeteer-core';
import type { BrowserOptions, BrowserSession, BrowserTab } from './browser-session.ts';
import { ALLOW_EXTENSION_PAGES, loadExtensionPage } from './load-extension-page.ts';
import type { TemporaryProfile } from './temporary-profile.ts';

const run = promisify(execFile);

export async function launchFirefox(options: BrowserOptions, profile: TemporaryProfile): Promise<BrowserSession> {
  const trusted = await trustInProfile(options.trust, profile);
  const extension = options.extensionDir === null ? null : await describeExtension(options.extensionDir);
  const browser = await launch({
    browser: 'firefox',
    executablePath: options.executable,
    // The caller decides what Ctrl-C does: the driver's handler would end the whole process.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    headless: options.headless,
    userDataDir: profile.dir,
    env: profile.env,
    args: options.extensionPages ? [ALLOW_EXTENSION_PAGES] : [],
    acceptInsecureCerts: !trusted,
    defaultViewport: options.headless ? { width: 1280, height: 900 } : null,
    extraPrefsFirefox: {
      ...(options.resolveHosts ? { 'network.dns.forceResolve': options.resolveHosts.address } : {}),
      ...(options.proxy ? proxyPreferences(new URL(options.proxy)) : {}),
      // Fixed in advance, so that the extension's own pages can be opened.
      ...(extension ? { 'extensions.webextensions.uuids': JSON.stringify({ [extension.id]: extension.uuid }) } : {}),
    },
  });
  try {
    if (options.extensionDir !== null) await browser.installExtension(options.extensionDir);
    const version = (await browser.version()).replace(/^.*\//, '');
    return session(browser, version, extension ? `moz-extension://${extension.uuid}` : null, profile);
  } catch (error) {
    await browser.close();
    throw error;
  }
}

/**
 * Makes the certificates trusted authorities of the profile. False if certutil is not installed: the caller then
 * accepts any certificate, which is harmless while all names resolve to this machine.
 */
async function trustInProfile(trust: readonly string[], profile: TemporaryProfile): Promise<boolean> {
  try {
    for (const [index, pem] of trust.entries()) {
      const file = join(profile.dir, `trusted-${index}.pem`);
      await writeFile(file, pem);
      await run('certutil', ['-A', '-d', `sql:${profile.dir}`, '-n', `lastbyte-${index}`, '-t', 'C,,', '-i', file]);
    }
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

function proxyPreferences({ hostname, port }: URL): Record<string, string | number | boolean> {
  return {
    'network.proxy.type': 1, // manual
    'network.proxy.socks': hostname,
    'network.proxy.socks_port': Number(port),
    'network.proxy.socks_version': 5,
    'network.proxy.socks_remote_dns': true,
    'network.proxy.no_proxies_on': '127.0.0.1',
    'network.proxy.allow_hijacking_localhost': true,
  };
}

async function describeExtension(dir: string): Promise<{ id: string; uuid: string }> {
  const manifest = JSON.parse(await readFile(join(dir, 'manifest.json'), 'utf8')) as {
    browser_specific_settings?: { gecko?: { id?: string } };
  };
  return { id: manifest.browser_specific_settings?.gecko?.id ?? '', uuid: randomUUID() };
}

function session(browser: Browser, version: string, origin: string | null, profile: TemporaryProfile): BrowserSession {
  let closed: Promise<void> | null = null;
  return {
    engine: 'firefox',
    version,
    extensionOrigin: origin,
    async open(url) {
      const page = await browser.newPage();
      if (url.startsWith('moz-extension:')) await loadExtensionPage(page, url);
      else await page.goto(url, { waitUntil: 'load' });
      return tab(page);
    },
    close() {
      closed ??= browser.close().finally(() => profile.remove());
      return closed;
    },
  };
}

function tab(page: Page): BrowserTab {
  return {
    goto: async (url) => void (await page.goto(url, { waitUntil: 'load' })),
    evaluate: (expression) => page.evaluate(expression),
    click: (selector) => page.click(selector),
    screenshot: async (path) => void (await page.screenshot({ path: path as `${string}.png` })),
    close: () => page.close(),
  };
}
