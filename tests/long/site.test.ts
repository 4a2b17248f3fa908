import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { executableOf } from '../browser/fixture/engines.ts';
import { axeViolations, openWatched } from '../browser/watched-page.ts';

const SITE = 'packaging/site';
const DIST = join(SITE, 'dist');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

let server: Server;
let origin: string;
let browser: Browser;

/** Built pages, as addresses below the origin. */
const pages = () =>
  readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.html') && name !== '404.html',
  );

beforeAll(async () => {
  const npm = (...args: string[]) => execFileSync('npm', args, { cwd: SITE, stdio: 'pipe' });
  npm('ci', '--prefer-offline');
  // A dead link between documents ends the build.
  npm('run', 'build');
  server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://site');
    const file = join(DIST, decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
    if (!existsSync(file)) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' }).end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await chromium.launch({
    executablePath: executableOf('chromium'),
    args: ['--no-sandbox', '--disable-gpu'],
  });
});

afterAll(async () => {
  await browser?.close();
  server?.close();
});

/** Until nothing more is loaded and the page answers to keys: before that, Vue has not taken over the markup. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${origin}/${path}`, { waitUntil: 'networkidle' });
  await page.waitForFunction(() => '__vue_app__' in (document.querySelector('#app') ?? {}));
}

/** Opens a page and fails for requests to elsewhere, files that are missing, and whatever the console calls an error. */
async function visiting(path: string, visit: (page: Page) => Promise<void>): Promise<void> {
  const watched = await openWatched(browser, origin);
  const problems: string[] = [];
  watched.page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  watched.page.on('response', (response) => {
    if (!response.ok()) problems.push(`${response.status()} ${response.url()}`);
  });
  await open(watched.page, path);
  await visit(watched.page);
  await watched.close();
  expect(problems).toEqual([]);
}

test('no page asks another server for anything, misses a file or reports an error', async () => {
  expect(pages().length).toBeGreaterThan(25);
  const tabs = [0, 1, 2, 3].map((tab) =>
    visiting('index.html', async (page) => {
      for (const path of pages().filter((_, place) => place % 4 === tab)) {
        await open(page, path);
      }
    }),
  );
  await Promise.all(tabs);
});

test('every link and image within the site leads to a file, and every anchor to a heading', () => {
  const dead = pages().flatMap((path) => {
    const html = readFileSync(join(DIST, path), 'utf8');
    const named = Array.from(html.matchAll(/ (?:href|src)="([^"]+)"/g), ([, address = '']) => address);
    return named
      .filter((address) => isDead(new URL(address, `http://site/${path}`)))
      .map((address) => `${path}: ${address}`);
  });
  expect(dead).toEqual([]);
});

function isDead({ host, pathname, hash }: URL): boolean {
  if (host !== 'site') return false;
  const file = join(DIST, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
  if (!existsSync(file)) return true;
  return hash !== '' && !readFileSync(file, 'utf8').includes(`id="${decodeURIComponent(hash.slice(1))}"`);
}

test.each(['index.html', 'de/index.html'])(
  'the search of %s finds a word of the documents and opens its page',
  async (path) => {
    await visiting(path, async (page) => {
      await page.keyboard.press('Control+k');
      await page.locator('.VPLocalSearchBox input').fill('keep-alive');
      await page.locator('.VPLocalSearchBox .result').first().click();
      await page.locator('.vp-doc h1').waitFor();
      expect(await page.locator('.vp-doc').innerText()).toContain('keep-alive');
    });
  },
);

test.each([
  ['index.html', 'en', 'What do your users really wait for?'],
  ['de/index.html', 'de', 'Worauf warten Ihre Nutzer wirklich?'],
])('%s is in its language, switches to dark and back, and is accessible in both', async (path, lang, question) => {
  await visiting(path, async (page) => {
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await page.locator('html').getAttribute('lang')).toBe(lang);
    expect(await page.locator('h1').innerText()).toContain(question);
    expect(await page.locator('.vp-doc a[href*="measurement.html#known"]').count()).toBe(1);
    const light = await background();
    const toggle = page.locator('.VPSwitchAppearance:visible').first();
    await toggle.click();
    await expect.poll(background).not.toBe(light);
    await toggle.click();
    await expect.poll(background).toBe(light);
    // Follows the system again.
    await page.evaluate(() => localStorage.clear());
    await open(page, path);
    expect(await axeViolations(page, '.VPHome')).toEqual([]);
  });
});
