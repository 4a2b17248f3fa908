import { expect, test } from 'vitest';
import { readPdf } from '../unit/report/pdf-text.ts';
import { NOW } from '../unit/wire/arbitrary-sample.ts';
import { browserId, fill } from './fill-store.ts';
import { request } from './report-samples.ts';
import { type TestApp, testApp } from './test-app.ts';

const FEBRUARY = 'view=monthly&from=2026-02-01T00:00:00Z&to=2026-03-01T00:00:00Z';
const DAY = 86_400_000;
const FIRST = Date.UTC(2026, 1, 1, 10);
/** Days from the first of February to a release, which makes the first app slower. */
const RELEASE = 14;

interface Fleet {
  readonly apps: readonly string[];
  readonly sites: readonly string[];
  /** In February alone there is nothing to compare with. */
  readonly months?: 1 | 2;
  readonly slower?: number;
  readonly organisation?: string;
}

/** Ten browsers ask every app three times a day; each app has its own host and time. */
async function office({ apps, sites, months = 2, slower = 0, organisation }: Fleet): Promise<TestApp> {
  const app = await testApp();
  const targets = apps.map((name, i) => ({ id: `app-${i}`, name, match: [`https://${hostOf(name)}/*`] }));
  const reports = { schedule: [], ...(organisation === undefined ? {} : { organisation }) };
  await app.store.settings.write({ version: 1, targets, reports, retention: { sampleDays: 90 } }, null, NOW);
  for (let browser = 0; browser < 10; browser++) {
    const rows = [];
    for (let day = months === 2 ? -28 : 0; day < 28; day++) {
      for (const [i, name] of apps.entries()) {
        const wait = 60 + 10 * i + ((7 * (day + 28) + 3 * browser) % 5) + (i === 0 && day >= RELEASE ? slower : 0);
        const place = { target: `app-${i}`, host: hostOf(name), template: '/', type: 'document' as const };
        for (let k = 0; k < 3; k++)
          rows.push(
            request(
              FIRST + day * DAY + i * 7000 + k * 1000 + browser,
              { wait, receive: 5, tcp: k === 0 ? 8 : 0 },
              place,
            ),
          );
      }
    }
    await fill(app.store, rows, { client: browserId(browser), site: sites[browser % sites.length] ?? '' });
  }
  return app;
}

function hostOf(name: string): string {
  return `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.example.com`;
}

async function pagesOf(app: TestApp, query: string): Promise<string[]> {
  const answer = await app.send({ url: `/api/v1/report?${query}&format=pdf`, as: 'admin' });
  expect(answer.statusCode).toBe(200);
  return readPdf(answer.rawPayload).pages.map((pieces) => pieces.join(' '));
}

async function text(app: TestApp, query: string): Promise<string> {
  const { body } = await app.send({ url: `/api/v1/report?${query}&format=text`, as: 'admin' });
  return body;
}

const TWO = { apps: ['Order system', 'Wiki'], sites: ['Berlin', 'Ulm'] };

test('the title is the month and the organisation; of another range it is the report’s name', async () => {
  const app = await office({ ...TWO, organisation: 'Contoso Ltd.' });
  expect(await text(app, FEBRUARY)).toMatch(
    /^February 2026 · Contoso Ltd\.\n=+\nEnd-user experience report, 2026-02-01 to 2026-02-28/,
  );
  expect(await text(app, `${FEBRUARY}&lang=de`)).toMatch(/^Februar 2026 · Contoso Ltd\./);
  const week = 'view=monthly&from=2026-02-02T00:00:00Z&to=2026-02-09T00:00:00Z';
  expect(await text(app, week)).toMatch(/^End-user experience report · Contoso Ltd\.\n=+\n2026-02-02 to 2026-02-08/);
});

test('a finding is told with its share of users, whose it is and what to decide; its interval on a later page', async () => {
  const app = await office({ ...TWO, slower: 90 });
  const [first = '', ...others] = await pagesOf(app, FEBRUARY);
  expect(first).toMatch(
    /What to decide 1\. Order system, order-system\.example\.com, since Feb 15, 2026: the server’s answer takes .*?\. \d+ % of (users|requests), [\d.]+ % of all waiting\. For the app’s developers: see what/,
  );
  expect(first).toMatch(/HTTPS costs .* per request/);
  expect(others.join(' ')).toMatch(/All findings \(\d+\).*Share of users.*At least At most/);
});

test('what got slower has its day and the annotation that may explain it, and is marked in the trend', async () => {
  const app = await office({ ...TWO, slower: 90 });
  const at = FIRST + (RELEASE - 1) * DAY;
  const note = {
    id: 'n1',
    at,
    until: null,
    text: 'Release 7',
    target: 'app-0',
    host: null,
    author: 'x',
    createdAt: at,
  };
  await app.store.annotations.add(note);
  const [first = '', ...others] = await pagesOf(app, FEBRUARY);
  expect(first).toMatch(
    /What got slower and faster 1\. Order system: \d+ ms slower (at the median|on average) since 2026-02-15\. 1 day after “Release 7”\. Where/,
  );
  const { body } = await app.send({ url: `/api/v1/report?${FEBRUARY}&format=html`, as: 'admin' });
  expect(body).toMatch(/Day by day<\/h3>[\s\S]*>\+\d+ ms Order system<[\s\S]*<h2>For engineers/);
  expect(first).not.toMatch(/\(95 %\)|95 % certain|the average is [\d.]+ times|are included in the times/);
  expect(others.join(' ')).toMatch(/the difference is \d+ to \d+ ms \(95 %\)/);
});

test('apps and sites: median, against the month before, share of waiting, and what the time is spent on', async () => {
  const app = await office({ ...TWO, slower: 90 });
  const { body: told } = await app.send({ url: `/api/v1/report?${FEBRUARY}&format=md`, as: 'admin' });
  expect(told).toMatch(
    /^\| App +\| Median \(ms\) \| Against January 2026 \| Share of waiting \| What the time is spent on \|$/m,
  );
  expect(told).toMatch(/^\| Order system \| +\d+ \| \+\d\.\d ms +\| +59\.\d % \| network \+ server \d+ % +\|$/m);
  expect(told).toMatch(/^\| Wiki +\| +7\d \| no certain change +\| +41\.\d % \| network \+ server \d+ % +\|$/m);
  expect(told).toMatch(/^\| Berlin \| +\d+ \| \+\d\.\d ms +\| +50\.\d % \|/m);
  const { apps, sites } = (await app.send({ url: `/api/v1/report?${FEBRUARY}&format=json`, as: 'admin' })).json();
  expect([apps.length, sites.length]).toEqual([2, 2]);
});

test('a first month has nothing to compare with and says nothing about it on its first page', async () => {
  const app = await office({ ...TWO, months: 1 });
  const [first = '', ...others] = await pagesOf(app, FEBRUARY);
  expect(first).toMatch(/By app.*By site.*Day by day/);
  expect(first).not.toMatch(/Against|January|before/);
  expect(others.join(' ')).toContain('Nothing was measured in the period before');
});

test('a month without anything to say says so; sites that are not told apart are no table', async () => {
  const app = await office({ apps: ['Wiki'], sites: [] });
  const [first = ''] = await pagesOf(app, FEBRUARY);
  expect(first).toMatch(
    /What to decide Comparing requests .* What got slower and faster No lasting change in this range\./,
  );
  expect(first).toContain('Against January 2026, nothing has changed for certain.');
  expect(first).toMatch(/By app.*Wiki/);
  expect(first).not.toContain('By site');
});

test('everything that belongs on the first page is on it, whatever the names; both languages have as many pages', async () => {
  const apps = Array.from({ length: 12 }, (_, i) => `Reisekostenabrechnungsverwaltung Niederlassung ${i}`);
  const sites = Array.from({ length: 10 }, (_, i) => `Hauptverwaltung Donaudampfschifffahrt ${i}`);
  const app = await office({ apps, sites, slower: 200, organisation: 'Vereinigte Versicherungsgesellschaften AG' });
  const [english, german] = await Promise.all([pagesOf(app, FEBRUARY), pagesOf(app, `${FEBRUARY}&lang=de`)]);
  expect(english[0]).toMatch(/What to decide.*By app.*By site.*Day by day.*Days without measurements are left blank\./);
  expect(german[0]).toMatch(/Was zu entscheiden ist.*Nach App.*Nach Standort.*Tag für Tag.*Tage ohne Messungen/);
  expect(english[1]).toContain('For engineers');
  expect(german[1]).toContain('Für die Technik');
  expect(german.length).toBe(english.length);
}, 120_000);
