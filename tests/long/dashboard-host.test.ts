import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { aggregateSamples } from '../../collector/analysis/summary/aggregate-samples.ts';
import { summarizeCell } from '../../collector/analysis/summary/summarize-cell.ts';
import type { SummaryCell } from '../../collector/analysis/summary/summary-document.ts';
import { issuerName } from '../../collector/dashboard/host/tls-issuers.ts';
import { formatMs } from '../../collector/dashboard/text/format.ts';
import { t } from '../../collector/dashboard/text/t.ts';
import type { StoredSample } from '../../shared/sample/sample.ts';
import type { Settings } from '../../shared/settings/settings-schema.ts';
import { useDashboard } from '../browser/use-dashboard.ts';
import { axeViolations } from '../browser/watched-page.ts';
import { INSPECTION_ISSUER, richFleet } from '../unit/dashboard/rich-fleet.ts';

const HOST = 'erp.example.com';
const CHARTS = [
  'The average request',
  'Each phase by itself',
  'Over time',
  'Distribution',
  'From median to average',
  'Connections',
  'Pauses and handshakes',
];
/** Markup and a formula; HOSTILE_WORD is for fields without spaces or quotes. */
const HOSTILE = '<img src=x onerror="document.title=1">"\'&lt;';
const HOSTILE_WORD = '=<img/src=x>';
/** Ingest accepts metric names that are HTTP tokens. */
const HOSTILE_METRIC = "+cmd|'calc'";
const HOSTILE_HOST = 'hostile.example.com';
const PNG_SIGNATURE = '89504e470d0a1a0a';

/** Metrics are kept only if a target lists them. */
const SETTINGS: Settings = {
  version: 1,
  targets: [{ id: 'erp', name: 'ERP', match: [`https://${HOST}/*`], serverTimingMetrics: ['cpu', HOSTILE_METRIC] }],
  delivery: { intervalSeconds: 60 },
};

let cells: readonly SummaryCell[];

const dashboard = useDashboard(() => {
  const now = Date.now();
  const fleet = richFleet(now);
  const samples = [...fleet, ...fleet.filter(isOfFirefoxOnErp).slice(-60).map(hostile)];
  const day = samples.filter(({ at }) => at >= now - 23 * 3_600_000);
  cells = aggregateSamples(day, ['target', 'host', 'type']).map(summarizeCell);
  return { samples, settings: SETTINGS };
});
let page: Page;

beforeEach(() => {
  page = dashboard.page;
});

async function open(path: string): Promise<void> {
  await page.goto(`${dashboard.collector.url}${path}#token=${dashboard.collector.adminToken}`);
  await page.locator('.overview .row:not(.group-row)').first().waitFor();
}

const chart = (title: string) => page.locator(`[data-chart="${title}"]`);

async function download(click: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [got] = await Promise.all([page.waitForEvent('download'), click()]);
  return { name: got.suggestedFilename(), bytes: await readFile(await got.path()) };
}

describe('the overview', () => {
  it('shows which medians changed from the preceding period, and by how much', async () => {
    await open('/?open=all');
    const trend = (host: string, type: string) =>
      page
        .locator('.overview .row:not(.group-row)')
        .filter({ has: page.getByRole('link', { name: host, exact: true }) })
        .filter({ has: page.getByRole('cell', { name: t.types[type] ?? type, exact: true }) })
        .locator('.change-mark');
    await expect.poll(() => trend('files.example.com', 'fetch').textContent()).toMatch(/(▲|Slower|significant)/);
    const slower = page.locator('.change-slower').first();
    await slower.waitFor();
    expect(await slower.textContent()).toMatch(/▲ \+\d+.*Slower: median \d+ before, \d+ ms now/);
    expect(await trend('erp.example.com', 'fetch').textContent()).toContain('No significant change');
    await page.getByLabel('Change from').selectOption('off');
    await expect.poll(() => page.locator('.change-mark').count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('against')).toBe('off');
  });

  it('exports a CSV without formulas', async () => {
    await open('/?open=all&sort=host');
    const { name, bytes } = await download(() => page.getByRole('button', { name: /overview as CSV/ }).click());
    const text = bytes.toString('utf8');
    expect(name).toBe('overview.csv');
    expect(text.startsWith('\uFEFFApp,Host,Type,Verdict,')).toBe(true);
    const lines = text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(1 + (await page.locator('.group-row').count()) + cells.length);
    // Groups first, without a host.
    const shown = await page.locator('.group-row').first().locator('.host-box a').textContent();
    expect(lines[1]?.split(',').slice(0, 3)).toEqual([shown, '', '']);
  });
});

describe('a host’s page', () => {
  const path = `/?page=${HOST}&kind=all`;

  it('draws every chart with a table of its numbers, and explains it', async () => {
    await open(path);
    for (const title of CHARTS) {
      await chart(title).locator('.picture svg').waitFor();
      await chart(title).getByText('Show as table').click();
      expect(await chart(title).locator('tbody tr').count(), title).toBeGreaterThan(0);
    }
    const said = (title: string) => chart(title).locator('figcaption').textContent();
    const median = aggregated()?.phases.ttlb?.median ?? 0;
    expect(await chart('Distribution').locator('svg').textContent()).toContain(`median ${formatMs(median)}`);
    expect(await said('Distribution')).toMatch(/[Pp]eaks?.*· reused connection/);
    expect(await said('Over time')).toMatch(/\d+ steps have no measurements/);
    const unmeasured = chart('Over time').locator('tbody tr').first().locator('td').nth(1);
    expect(await unmeasured.textContent()).toBe('–unknown');
    expect(await said('Pauses and handshakes')).toMatch(
      /Connections close after about 5 s without a request: \d+ of \d+ new connections/,
    );
    const issuer = page.locator('.issuer');
    await issuer.waitFor();
    expect(await issuer.textContent()).toContain(
      `see a certificate from ${issuerName(INSPECTION_ISSUER)} instead of the usual one`,
    );
    expect(await issuer.textContent()).toMatch(/It changes the median handshake by \+\d+ ms/);
  });

  it('shows the report tables one at a time, with tab and order in the address', async () => {
    await open(path);
    const tables = page.locator('.seed-tables');
    await tables.locator('[data-table="response times"]').waitFor();
    for (const [tab, heading] of [
      ['Ratios', 'Scenario'],
      ['Connect, wait, total', 'Standard deviation'],
      ['Pages', 'Hits'],
    ] as const) {
      await tables.getByRole('link', { name: tab }).click();
      await tables
        .getByRole('columnheader', { name: new RegExp(heading) })
        .first()
        .waitFor();
    }
    await tables.locator('[data-table="pages"]').getByRole('button', { name: 'Hits' }).click();
    expect(new URL(page.url()).searchParams.get('table')).toBe('pages');
    expect(new URL(page.url()).searchParams.get('sort.pages')).toBe('-hits');
    const hits = await tables.locator('[data-table="pages"] tbody tr td:nth-child(4)').allTextContents();
    const numbers = hits.map((text) => Number(text.replace(',', '')));
    expect(numbers.length).toBeGreaterThan(3);
    expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
  });

  it('saves a chart as SVG and PNG with colours and title', async () => {
    await open(path);
    const gap = chart('From median to average');
    await gap.locator('.picture svg').waitFor();
    const svg = await download(() => gap.getByRole('button', { name: /as SVG/ }).click());
    const drawn = svg.bytes.toString('utf8');
    expect(svg.name).toBe('From-median-to-average.svg');
    expect(drawn).toContain(`${HOST} · all types`);
    expect(drawn).not.toMatch(/var\(|currentColor|style=|<script/);
    const png = await download(() => gap.getByRole('button', { name: /as PNG/ }).click());
    expect(png.name).toBe('From-median-to-average.png');
    expect(png.bytes.subarray(0, 8).toString('hex')).toBe(PNG_SIGNATURE);
    expect(png.bytes.readUInt32BE(16)).toBeGreaterThan(600);
  });

  it('zooms into a selected time, and back', async () => {
    // The type is chosen by the view, which might choose another one in the part.
    await open(`/?page=${HOST}`);
    const tab = page.getByRole('navigation', { name: 'Resource type' }).locator('[aria-current]');
    await tab.waitFor();
    // Data that arrive while a time is selected replace the chart, and with it the selection.
    await expect.poll(() => page.locator('[aria-busy=true], .bone').count()).toBe(0);
    const shown = await tab.textContent();
    const marks = chart('Over time').locator('.marks');
    await marks.focus();
    // The fleet's first hours are empty, and there a zoom ends on a page without charts.
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    for (let step = 0; step < 3; step++) await page.keyboard.press('Shift+ArrowLeft');
    expect(await marks.getAttribute('aria-valuetext')).toMatch(/^Selected .*; Enter zooms in$/);
    const before = page.url();
    await page.keyboard.press('Enter');
    const back = chart('Over time').getByRole('button', { name: 'Back to 24 hours' });
    await back.waitFor();
    const query = new URL(page.url()).searchParams;
    const [from = 0, to = 0] = ['from', 'to'].map((name) => Date.parse(query.get(name) ?? ''));
    expect((to - from) / 60_000).toBe(4 * 15);
    expect(query.get('kind')).not.toBeNull();
    expect(await tab.textContent()).toBe(shown);
    await expect.poll(() => page.evaluate(() => document.activeElement?.className ?? '')).toContain('marks');
    await page.goBack();
    await back.waitFor({ state: 'detached' });
    expect(page.url()).toBe(before);
    await page.goForward();
    await back.click();
    await back.waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.has('from')).toBe(false);

    const box = await marks.boundingBox();
    if (box === null) throw new Error('nothing to select in');
    await page.mouse.move(box.x + box.width * 0.4, box.y + 90);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, box.y + 90, { steps: 4 });
    await page.mouse.up();
    await back.waitFor();
  });

  it('shows the requests behind a bar and the page view of one, and gives the focus back', async () => {
    await open(path);
    const marks = chart('Distribution').locator('.marks');
    await marks.focus();
    await page.keyboard.press('Home');
    for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowRight');
    const [low = 0, high = 0] =
      ((await marks.getAttribute('aria-valuetext')) ?? '').match(/[\d.]+/g)?.map(Number) ?? [];
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.locator('.requests tbody tr').first().waitFor();
    const times = await dialog.locator('.requests tbody tr td:nth-child(2)').allTextContents();
    for (const time of times.map(Number)) {
      expect(time).toBeGreaterThanOrEqual(low);
      expect(time).toBeLessThanOrEqual(high);
    }
    expect(await axeViolations(page, 'dialog')).toEqual([]);
    const requests = dialog.locator('.requests tbody tr .template');
    const [first = ''] = await requests.allTextContents();
    await dialog.getByLabel('Page', { exact: true }).selectOption(first);
    await expect.poll(async () => [...new Set(await requests.allTextContents())]).toEqual([first]);
    await dialog
      .getByRole('button', { name: /^Page view of/ })
      .first()
      .click();
    await expect.poll(() => dialog.locator('.waterfall .asked').count()).toBe(1);
    expect(await axeViolations(page, 'dialog')).toEqual([]);
    expect(new URL(page.url()).searchParams.get('pageview')).not.toBeNull();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.has('requests')).toBe(false);
    expect(await page.evaluate(() => document.activeElement?.className)).toContain('marks');
  });

  it('shows the requests behind a phase and a peak, and leaves out what the legend switches off', async () => {
    await open(path);
    const dialog = page.getByRole('dialog');
    const enter = async (title: string, key: string) => {
      await chart(title).locator('.marks').focus();
      await page.keyboard.press(key);
      const text = await chart(title).locator('.marks').getAttribute('aria-valuetext');
      await page.keyboard.press('Enter');
      await dialog.locator('.requests tbody tr').first().waitFor();
      const note = await dialog.locator('p.quiet').first().innerText();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      return { text, note };
    };
    const receive = await enter('Each phase by itself', 'End');
    expect(receive.note).toMatch(/^Receive\. /);
    const peak = await enter('Distribution', 'End');
    expect(peak.text).toMatch(/^peak /);
    expect(peak.note).toContain(/[\d.]+ – [\d.]+ ms/.exec(peak.text ?? '')?.[0].split(' – ')[1] ?? '?');
    const phases = chart('Each phase by itself');
    const bars = () => phases.locator('.picture rect').count();
    const all = await bars();
    await phases.getByRole('button', { name: 'median' }).click();
    await expect.poll(bars).toBe(all / 2);
  });

  it.each([320, 400, 3840])('never scrolls sideways at %i px', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    await open(`${path}&table=pages`);
    await page.locator('[data-table="pages"] tbody tr').first().waitFor();
    await chart('Pauses and handshakes').locator('svg').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  });
});

describe('hostile texts in every field that a browser sends', () => {
  it('are text on the page, and not a formula in a file', async () => {
    await open(`/?page=${HOSTILE_HOST}&kind=all`);
    const tls = page.locator('[data-table="tls"]');
    await tls.getByText(HOSTILE, { exact: true }).first().waitFor();
    const tables = page.locator('.seed-tables');
    await tables.getByText('HTTPS, reused connection').first().waitFor();
    await tables.getByRole('link', { name: 'Pages', exact: true }).click();
    await tables.getByText(`/${HOSTILE_WORD}`).first().waitFor();
    await tables.getByRole('link', { name: 'Ratios', exact: true }).click();
    await tables.getByText(HOSTILE_METRIC).first().waitFor();
    const { bytes } = await download(() =>
      tables
        .getByRole('button', { name: /as CSV/ })
        .first()
        .click(),
    );
    expect(bytes.toString('utf8')).toContain(`,'${HOSTILE_METRIC}`);
    await page.locator('[data-add-filter]').click();
    await page.locator('[data-filter=site]').click();
    await page.locator('.choice-word').getByText(HOSTILE, { exact: true }).waitFor();
    expect(await page.locator('img, main script').count()).toBe(0);
    expect(await page.title()).toBe(`${HOSTILE_HOST} · Lastbyte`);
  });
});

describe('while data are loading', () => {
  it('shows the duration, and can be cancelled and repeated', async () => {
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/v1/tls*', async (route) => {
      await held;
      await route.continue().catch(() => {});
    });
    await open(`/?page=${HOST}&kind=document`);
    const tls = page.locator('[data-panel="TLS"]');
    await tls.getByText(/Loading TLS … \d+ s/).waitFor();
    expect(await tls.getByRole('progressbar').count()).toBe(1);
    await tls.getByRole('button', { name: 'Cancel' }).click();
    await tls.getByText('TLS: cancelled.').waitFor();
    answer();
    await page.unroute('**/api/v1/tls*');
    await tls.getByRole('button', { name: 'Load' }).click();
    await tls.locator('table').waitFor();
  });

  it('shows the progress of a long query, and aborts it', async () => {
    // The real route's progress is tested with the collector; here the test controls it.
    await page.addInitScript(() => {
      const told = globalThis as unknown as { tell(line: string): void; stopped: boolean };
      const real = window.fetch.bind(window);
      window.fetch = (input, init) => {
        if (!String(input).startsWith('/api/v1/tls')) return real(input, init);
        const body = new ReadableStream({
          start(controller) {
            told.tell = (line) => controller.enqueue(new TextEncoder().encode(`${line}\n`));
            init?.signal?.addEventListener('abort', () => {
              told.stopped = true;
              controller.error(new DOMException('stopped', 'AbortError'));
            });
          },
        });
        const accepted = new Headers(init?.headers).get('accept') ?? '';
        const type = accepted.includes('application/x-ndjson') ? 'application/x-ndjson' : 'text/plain';
        return Promise.resolve(new Response(body, { headers: { 'content-type': type } }));
      };
    });
    const tell = (line: object) =>
      page.evaluate((text) => (globalThis as unknown as { tell(line: string): void }).tell(text), JSON.stringify(line));
    await open(`/?page=${HOST}&kind=document`);
    const tls = page.locator('[data-panel="TLS"]');
    await tls.getByText(/Loading TLS … \d+ s/).waitFor();
    await tell({ progress: 0.42 });
    await tls.getByText(/Loading TLS … 42 % · \d+ s/).waitFor();
    expect(await tls.getByRole('progressbar').evaluate((bar: HTMLProgressElement) => bar.value)).toBe(0.42);
    await tls.getByRole('button', { name: 'Cancel' }).click();
    await tls.getByText('TLS: cancelled.').waitFor();
    expect(await page.evaluate(() => (globalThis as unknown as { stopped: boolean }).stopped)).toBe(true);
    await tls.getByRole('button', { name: 'Load' }).click();
    await tell({ error: { code: 'samples_expired', message: 'single samples are gone', hint: 'Ask for less.' } });
    await tls.getByText('samples_expired').waitFor();
  });

  it('shows the error code of a failed part without affecting the rest', async () => {
    await page.route('**/api/v1/timeline*', (route) =>
      route.fulfill({
        status: 422,
        json: { error: { code: 'samples_expired', message: 'single samples are gone', hint: 'Ask for whole hours.' } },
      }),
    );
    await open(`/?page=${HOST}&kind=document`);
    const timeline = page.locator('[data-panel="Timeline"]');
    await timeline.getByText('samples_expired').waitFor();
    await chart('Distribution').locator('svg').waitFor();
    expect(await page.locator('#status').textContent()).toContain('Updated');
  });

  it('keeps the old content until the filtered data arrive', async () => {
    await open('/?open=all');
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/v1/summary*type=font*', async (route) => {
      await held;
      await route.continue();
    });
    await page.locator('[data-add-filter]').click();
    await page.locator('[data-filter=type]').click();
    await page.getByRole('checkbox', { name: /^font/ }).check();
    await page.locator('[data-panel="Overview"][data-state="loading"]').waitFor();
    await expect.poll(() => page.locator('.overview .row:not(.group-row)').count()).toBe(cells.length);
    answer();
    const fonts = cells.filter(({ type }) => type === 'font').length;
    await expect.poll(() => page.locator('.overview .row:not(.group-row)').count()).toBe(fonts);
  });
});

function isOfFirefoxOnErp({ host, origin, connection }: StoredSample): boolean {
  return host === HOST && origin.browser === 'firefox' && connection === 'reused';
}

function hostile(sample: StoredSample): StoredSample {
  return {
    ...sample,
    host: HOSTILE_HOST,
    template: `/${HOSTILE_WORD}`,
    metrics: { [HOSTILE_METRIC]: 5 },
    tls: { version: HOSTILE, cipher: HOSTILE, keyExchange: HOSTILE, issuer: HOSTILE },
    origin: { ...sample.origin, client: `hostile-${sample.origin.client}`, site: HOSTILE },
  };
}

function aggregated(): SummaryCell | undefined {
  const samples = richFleet(Date.now());
  const day = samples.filter(({ at, host }) => host === HOST && at >= Date.now() - 23 * 3_600_000);
  return aggregateSamples(day, ['host']).map(summarizeCell)[0];
}
