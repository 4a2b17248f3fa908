import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { VIEWS } from '../../collector/dashboard/app/views.ts';
import { makeToken } from '../../collector/http/auth/token-text.ts';
import { findBrowser } from '../../collector/lab/browser/find-browser.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { serveFolder } from '../bench/serve-folder.ts';

const COMMAND = 'dist/lastbyte.mjs';
const WIDTHS = [400, 1280, 2560];
const SCHEMES = ['light', 'dark'] as const;
const HEIGHT = 900;
const TOP_HOSTS = 3;
const WEEK_MS = 7 * 24 * 3_600_000;
/** Tables of a host that its page shows after a click. */
const TABLES = ['ratios', 'phases', 'pages'];
const PDF_DPI = '70';
/** Long enough for panels that read every sample, ms. */
const PATIENCE = 180_000;
const LOADING = '[aria-busy="true"], .change-loading';

const runFile = promisify(execFile);

interface Shot {
  readonly name: string;
  readonly query: string;
}

/**
 * Every view of the built dashboard in light and dark and three widths, and the pages of the report, as PNG files in a folder.
 * Reports the height of each page. For people to look at: nothing is compared.
 *
 * @param description written by `fleet fill`: the range to show
 * @param lang of dashboard and report; null leaves it to them
 * @param only how the names of the pictures start, such as `overview`; null for all of them and the report
 */
export async function takePictures(
  data: string,
  description: string,
  out: string,
  lang: string | null,
  only: string | null,
  print: (line: string) => void,
): Promise<void> {
  const { from, to } = JSON.parse(await readFile(description, 'utf8')) as { from: number; to: number };
  const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  await mkdir(out, { recursive: true });
  const token = await newToken(data);
  const server = await serveFolder(data);
  try {
    const browser = await launch();
    try {
      const shots = shotsOf(await topHosts(server.url, token, range), range, lang).filter(
        ({ name }) => only === null || name.startsWith(only),
      );
      for (const scheme of SCHEMES) await shootAll(browser, `${server.url}/`, token, shots, scheme, lang, out, print);
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
  }
  if (only === null) await shootReport(data, range, out, lang, print);
}

async function newToken(folder: string): Promise<string> {
  const store = await openStore({ folder, as: 'command', create: false });
  try {
    const { stored, token } = makeToken('admin', 'pictures', Date.now());
    await store.tokens.create(stored);
    return token;
  } finally {
    await store.close();
  }
}

async function launch(): Promise<Browser> {
  const found = findBrowser('chromium');
  if (!found.ok) throw new Error(`${found.message} ${found.hint}`);
  return chromium.launch({ executablePath: found.path, args: ['--no-sandbox', '--disable-gpu'] });
}

interface HostCell {
  readonly host: string;
  readonly phases: { readonly ttlb: { readonly n: number; readonly mean: number } | null };
}

/** Those that users wait for longest in all, which readers open first. Most samples would be static files from caches. */
async function topHosts(url: string, token: string, range: Record<string, string>): Promise<string[]> {
  const query = new URLSearchParams({ ...range, by: 'host' });
  const answer = await fetch(`${url}/api/v1/summary?${query}`, { headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new Error(`The summary answers ${answer.status}: ${await answer.text()}`);
  const { cells } = (await answer.json()) as { cells: HostCell[] };
  const sorted = [...cells].sort((a, b) => totalWait(b) - totalWait(a));
  return sorted.slice(0, TOP_HOSTS).map(({ host }) => host);
}

function totalWait({ phases: { ttlb } }: HostCell): number {
  return ttlb === null ? 0 : ttlb.n * ttlb.mean;
}

function shotsOf(hosts: readonly string[], range: Record<string, string>, lang: string | null): Shot[] {
  const week = { ...range, from: new Date(Date.parse(range.to ?? '') - WEEK_MS).toISOString() };
  const own: { name: string; query: Record<string, string> }[] = [
    ...VIEWS.filter(({ name }) => name !== 'host' && name !== 'compare').map(({ name }) => ({
      name,
      query: { view: name, ...range },
    })),
    ...hosts.map((page, index) => ({ name: `host-${index + 1}`, query: { page, ...range } })),
    // What needs something before it, or a choice.
    { name: 'overview-week', query: week },
    { name: 'overview-sites', query: { ...range, group: 'site' } },
    { name: 'compare-week', query: { view: 'compare', by: 'host', ...week } },
    ...TABLES.map((table) => ({ name: `host-1-${table}`, query: { page: hosts[0] ?? '', table, ...range } })),
  ];
  return own.map(({ name, query }) => ({
    name,
    query: new URLSearchParams(lang === null ? query : { ...query, lang }).toString(),
  }));
}

async function shootAll(
  browser: Browser,
  url: string,
  token: string,
  shots: readonly Shot[],
  colorScheme: 'light' | 'dark',
  lang: string | null,
  out: string,
  print: (line: string) => void,
): Promise<void> {
  const context = await browser.newContext({
    colorScheme,
    locale: lang === 'de' ? 'de-DE' : 'en-US',
    viewport: { width: 1280, height: HEIGHT },
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(`${url}#token=${token}`);
  await settled(page);
  for (const { name, query } of shots) {
    await page.setViewportSize({ width: 1280, height: HEIGHT });
    await page.goto(`${url}?${query}`);
    await settled(page);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      await settled(page);
      const file = `${name}-${colorScheme}-${width}.png`;
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      await page.screenshot({ path: join(out, file), fullPage: true });
      print(`${file}: ${height} px tall${overflow > 0 ? `, ${overflow} px too wide` : ''}`);
    }
  }
  for (const problem of problems) print(`The page reported: ${problem}`);
  await context.close();
}

async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: PATIENCE });
  // Some panel is there and none is loading. A function, since the dashboard's policy forbids evaluating a text.
  await page.waitForFunction(
    (loading) => document.querySelector('main') !== null && document.querySelector(loading) === null,
    LOADING,
    { timeout: PATIENCE },
  );
  // Whatever became ready is drawn in the frame after.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

async function shootReport(
  data: string,
  range: { readonly from: string; readonly to: string },
  out: string,
  lang: string | null,
  print: (line: string) => void,
): Promise<void> {
  const file = join(out, 'report.pdf');
  const options = ['--data', data, '--from', range.from, '--to', range.to, '--out', file];
  await runFile(process.execPath, [COMMAND, 'report', ...options, ...(lang === null ? [] : ['--lang', lang])]);
  print(file);
  const drawn = await runFile('pdftoppm', ['-png', '-r', PDF_DPI, file, join(out, 'report')]).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
  print(drawn ? 'the pages of the report as report-*.png' : 'pdftoppm is not installed, so the report stays a PDF');
}
