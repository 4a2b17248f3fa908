import { createHash, X509Certificate } from 'node:crypto';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { CommandFailure } from '../../lib/failure.ts';
import type { BrowserOptions, BrowserSession, BrowserTab } from './browser-session.ts';
import type { TemporaryProfile } from './temporary-profile.ts';

export async function launchChromium(options: BrowserOptions, profile: TemporaryProfile): Promise<BrowserSession> {
  const context = await chromium.launchPersistentContext(profile.dir, {
    executablePath: options.executable,
    // The caller decides what Ctrl-C does: the driver's handler would end the whole process.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    headless: false, // we pass our own argument: the driver's selects the old headless shell, without extensions
    chromiumSandbox: false,
    env: profile.env,
    viewport: options.headless ? { width: 1280, height: 900 } : null,
    // The driver disables extensions and the back/forward cache, which users have.
    ignoreDefaultArgs: ['--disable-extensions', '--disable-back-forward-cache'],
    args: chromiumArguments(options),
  });
  try {
    const extensionOrigin = options.extensionDir === null ? null : await loadExtension(context, options.extensionDir);
    return session(context, extensionOrigin, profile);
  } catch (error) {
    await context.close();
    throw error;
  }
}

function chromiumArguments(options: BrowserOptions): string[] {
  const args = [
    '--no-sandbox', // as root, and in containers without user namespaces
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--enable-unsafe-extension-debugging', // for Extensions.loadUnpacked
  ];
  if (options.headless) args.push('--headless=new');
  if (options.resolveHosts) {
    args.push(`--host-resolver-rules=MAP ${options.resolveHosts.pattern} ${options.resolveHosts.address}`);
  }
  // Chromium bypasses the proxy for loopback names by default; only the bare address should still bypass it.
  if (options.proxy) args.push(`--proxy-server=${options.proxy}`, '--proxy-bypass-list=<-loopback>;127.0.0.1');
  if (options.trust.length > 0) {
    args.push(`--ignore-certificate-errors-spki-list=${options.trust.map(publicKeyHash).join(',')}`);
  }
  return args;
}

/** Base64 SHA-256 of the certificate's SubjectPublicKeyInfo, the form of RFC 7469 pins. */
function publicKeyHash(pem: string): string {
  const key = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}

/**
 * Through the debugger, because branded Chrome has ignored `--load-extension` since 137.
 * https://chromedevtools.github.io/devtools-protocol/tot/Extensions/#method-loadUnpacked
 */
async function loadExtension(context: BrowserContext, dir: string): Promise<string> {
  const browser = context.browser();
  if (!browser)
    throw new CommandFailure('the browser gave no debugging connection', 'Use Chrome or Chromium 121 or newer.');
  const debuggerSession = await browser.newBrowserCDPSession();
  // The driver's types lack this domain.
  const send = debuggerSession.send.bind(debuggerSession) as unknown as (
    method: string,
    parameters: object,
  ) => Promise<{ id: string }>;
  const { id } = await send('Extensions.loadUnpacked', { path: dir });
  await debuggerSession.detach();
  return `chrome-extension://${id}`;
}

function session(context: BrowserContext, extensionOrigin: string | null, profile: TemporaryProfile): BrowserSession {
  let closed: Promise<void> | null = null;
  return {
    engine: 'chromium',
    version: context.browser()?.version() ?? '',
    extensionOrigin,
    async open(url) {
      const page = await context.newPage();
      await page.goto(url, { waitUntil: 'load' });
      return tab(page);
    },
    close() {
      closed ??= context.close().finally(() => profile.remove());
      return closed;
    },
  };
}

function tab(page: Page): BrowserTab {
  return {
    goto: async (url) => void (await page.goto(url, { waitUntil: 'load' })),
    evaluate: (expression) => page.evaluate(expression),
    click: (selector) => page.click(selector),
    screenshot: async (path) => void (await page.screenshot({ path })),
    close: () => page.close(),
  };
}
