import { expect, test } from 'vitest';
import type { ReportDocument } from '../../collector/questions/view.ts';
import { displayWidth } from '../../collector/reports/render/wrap-text.ts';
import { FORMATS, REPORT_VIEWS } from '../../shared/settings/report-choices.ts';
import { IS_SHORT } from '../rounds.ts';
import { readPdf } from '../unit/report/pdf-text.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { browserId, fill } from './fill-store.ts';
import { fillTwoMonths, goldenSamples, request } from './report-samples.ts';
import { type TestApp, testApp } from './test-app.ts';

const FEBRUARY = 'from=2026-02-01T00:00:00Z&to=2026-03-01T00:00:00Z';
const TYPES = {
  html: 'text/html; charset=utf-8',
  pdf: 'application/pdf',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  text: 'text/plain; charset=utf-8',
} as const;

async function report(app: TestApp, query: string, as: 'read' | 'admin' = 'admin') {
  const answer = await app.send({ url: `/api/v1/report?${query}`, as });
  expect([query, answer.statusCode]).toEqual([query, 200]);
  return answer;
}

async function readable(app: TestApp, query: string, as: 'read' | 'admin' = 'admin'): Promise<string> {
  const { body } = await report(app, `${query}&format=text`, as);
  return body.replace(/\s+/g, ' ');
}

test.skipIf(IS_SHORT)(
  'every view is there in every format and both languages, the same bytes each time',
  async () => {
    const app = await testApp();
    // Longer than by default, or the store's upkeep would remove January's samples between two answers.
    await app.store.settings.write({ version: 1, targets: [], retention: { sampleDays: 90 } }, null, NOW);
    await fillTwoMonths(app.store);
    for (const view of REPORT_VIEWS) {
      for (const format of FORMATS) {
        for (const lang of ['en', 'de']) {
          const query = `view=${view}&format=${format}&lang=${lang}&${FEBRUARY}`;
          const { headers, rawPayload, body } = await report(app, query);
          expect(headers['content-type']).toBe(TYPES[format]);
          expect(headers['content-disposition']).toMatch(
            new RegExp(`^(inline|attachment); filename="lastbyte-${view}-2026-02-28\\.\\w+"$`),
          );
          const again = lang === 'en' ? (await report(app, query)).rawPayload : rawPayload;
          expect([query, rawPayload.equals(again)]).toEqual([query, true]);
          if (format === 'pdf') checkPdf(rawPayload, lang);
          else expect([query, /undefined|NaN|\[object|Infinity/.exec(body)?.[0]]).toEqual([query, undefined]);
          if (format === 'text') expect(Math.max(...body.split('\n').map(displayWidth))).toBeLessThanOrEqual(80);
          if (format === 'csv') expect(body).not.toMatch(/(^|[,;])"?[=+@]/m);
          if (format === 'html') {
            expect(headers['content-security-policy']).toMatch(/default-src 'none'; style-src 'sha256-/);
          }
        }
      }
    }
  },
  300_000,
);

function checkPdf(file: Buffer, lang: string): void {
  const { pages, elements } = readPdf(file);
  const said = pages.map((pieces) => pieces.join(' '));
  said.forEach((text, i) => {
    const number = lang === 'de' ? `Seite ${i + 1} von ${pages.length}` : `Page ${i + 1} of ${pages.length}`;
    expect(text).toContain(number);
    expect(text).not.toMatch(/\ufffd|undefined|NaN/);
  });
  expect(said.join(' ')).toContain(lang === 'de' ? 'Methode' : 'Method');
  for (const type of ['H1', 'H2', 'P', 'Table', 'TR', 'TH']) expect(elements).toContain(type);
}

test('a German report has no sentence of the English one, in no view; JSON is English', async () => {
  const app = await testApp();
  await fillTwoMonths(app.store);
  const english = new Set<string>();
  for (const view of ['scenarios', 'phases', 'pages', 'ratios', 'probes']) {
    const { view: drawn, method } = (await report(app, `view=${view}&lang=de&${FEBRUARY}`)).json<ReportDocument>();
    const german = (await report(app, `view=${view}&lang=de&format=md&${FEBRUARY}`)).body.replaceAll('\\', '');
    const texts = [
      drawn.title,
      ...drawn.notes,
      ...method.rules,
      ...drawn.tables.flatMap(({ title, notes, columns }) => [title, ...notes, ...columns.map(({ label }) => label)]),
    ];
    expect(method.rules[0]).toBe('Failed requests are counted but excluded from times.');
    for (const text of texts) if (text.includes(' ') && german.includes(text)) english.add(text);
  }
  expect([...english]).toEqual([]);
});

test('the monthly report in plain words: how many, how long, what TLS costs, what changed, where work pays', async () => {
  const app = await testApp();
  await fillTwoMonths(app.store);
  const text = await readable(app, FEBRUARY);
  expect(text).toContain('8 browsers made 784 requests for 224 page views');
  expect(text).toMatch(/Half of all requests are answered, to the last byte, within \d+ ms\. The average is \d+ ms\./);
  expect(text).toMatch(/Encryption \(TLS\) costs [\d.]+ ms per request on average and 0 ms at the median/);
  expect(text).toMatch(/the median went from \d+ ms to \d+ ms .* Users wait \d+ ms (longer|less) \(95 % certain: /);
  expect(text).toContain('Comparing requests within this period shows no single cause of noticeably longer waits.');
  expect(text).toMatch(/Left out of the times: \d+ \([\d.]+ %\): response other than 2xx or 3xx \(112\)/);
  expect(text).toMatch(/Data: SHA-256 [0-9a-f]{20}/);
  expect(text).toContain('lastbyte report --view monthly --from 2026-02-01T00:00:00.000Z');
  const german = await readable(app, `${FEBRUARY}&lang=de`);
  expect(german).toContain('8 Browser stellten 784 Anfragen für 224 Seitenaufrufe');
  expect(german).toMatch(/Nutzer warten \d+ ms (länger|kürzer) \(95 % sicher: /);
});

test('the monthly report leads with what would save most, in the reader’s language', async () => {
  const app = await testApp();
  const rows = ['/a', '/b', '/c', '/d', '/e', '/f', '/slow'].flatMap((template) =>
    Array.from({ length: 40 }, (_, i) => ({
      ...request(NOW - 3_600_000 - i * 60_000, { wait: template === '/slow' ? 900 : 50 + (i % 5) }),
      template,
    })),
  );
  for (let browser = 0; browser < 5; browser++) await fill(app.store, rows, { client: browserId(browser) });
  const range = `view=monthly&from=${new Date(NOW - 86_400_000).toISOString()}&to=${new Date(NOW).toISOString()}`;
  const text = await readable(app, range);
  expect(text).toMatch(/What to decide -+ 1\. erp, erp\.example\.com\/slow: the server’s answer takes \d+ ms/);
  expect(text).toContain('All findings (1)');
  expect(await readable(app, `${range}&lang=de`)).toMatch(
    /Was zu entscheiden ist -+ 1\. erp, erp\.example\.com\/slow: die Antwort des Servers dauert/,
  );
  const { findings } = (await app.send({ url: `/api/v1/report?${range}&format=json`, as: 'admin' })).json();
  expect(findings).toMatchObject([{ kind: 'slow_server', place: { template: '/slow' } }]);
});

test('without a range it is the last month; and this one, as far as it has come, where that is empty', async () => {
  const app = await testApp();
  await fill(app.store, [request(NOW - 60_000, { wait: 10 })]);
  expect(await readable(app, 'view=monthly')).toContain('2026-03-01 00:00 to 2026-03-01 13:00 (UTC, end excluded)');
  await fill(app.store, [request(Date.UTC(2026, 1, 10), { wait: 10 })]);
  expect(await readable(app, 'view=monthly')).toContain('2026-02-01 to 2026-02-28 (UTC)');
  expect(await readable(app, 'month=2026-02&zone=Europe/Berlin&lang=de')).toContain('01.02.2026 bis 28.02.2026');
});

test('999 requests of 10 ms and one of 3,000 ms have median 10 and average 12.99; outliers are left out where asked', async () => {
  const app = await testApp();
  await fill(app.store, goldenSamples());
  const whole = async (query: string) => (await report(app, `${FEBRUARY}${query}`)).json().whole;
  expect((await whole('')).phases.ttlb).toMatchObject({ n: 1000, median: 10, mean: 12.99 });
  for (const rule of ['tukey', 'cap:2000']) {
    const left = await whole(`&outliers=${rule}`);
    expect(left.phases.ttlb).toMatchObject({ n: 999, median: 10, mean: 10 });
    expect(left.evidence.excluded).toEqual({ rule: 1 });
  }
  expect((await whole('&outliers=cap:3000')).phases.ttlb).toMatchObject({ n: 1000, mean: 12.99 });
  const text = await readable(app, `${FEBRUARY}&outliers=tukey`);
  expect(text).toMatch(/Outliers beyond Tukey’s fence.* left out entirely: 1 request\./);
  expect(text).toContain('Exact: every value was read. Read sample by sample');
});

test('business hours count on the clock of their zone', async () => {
  const app = await testApp();
  const at = (hour: number, day = 10) => Date.UTC(2026, 1, day, hour, 30);
  // A Tuesday: 07:30 and 17:30 in Berlin at 06:30 and 16:30 UTC; and a Saturday.
  await fill(app.store, [
    request(at(6), { wait: 1 }),
    request(at(7), { wait: 10 }),
    request(at(16), { wait: 20 }),
    request(at(17), { wait: 400 }),
    request(at(12, 14), { wait: 800 }),
  ]);
  const ask = async (hours: string, zone: string) => {
    const query = `${FEBRUARY}&hours=${encodeURIComponent(hours)}&zone=${encodeURIComponent(zone)}`;
    return (await report(app, query)).json();
  };
  const berlin = await ask('Mon-Fri 08:00-18:00', 'Europe/Berlin');
  expect(berlin.whole.phases.ttlb).toMatchObject({ n: 2, min: 10, max: 20 });
  expect(berlin.accounting).toMatchObject({ hours: 'Mon-Fri 08:00-18:00', outliers: { rule: 'none' } });
  expect(berlin.days.filter(({ median }: { median: number | null }) => median !== null)).toHaveLength(1);
  expect((await ask('Sat-Sun 00:00-24:00', 'UTC')).whole.phases.ttlb).toMatchObject({ n: 1, max: 800 });
});

test.each([
  [
    4,
    / 20 ms per request on average and 20 ms at the median; 100 % of requests open a connection\./,
    /100 % der Anfragen/,
  ],
  [
    3,
    / 15 ms per request on average and 20 ms at the median; 75\.0 % of requests open a connection\./,
    /75,0 % der Anfragen/,
  ],
  [
    1,
    / 5\.0 ms per request on average and 0 ms at the median, as most requests use an existing/,
    /da die meisten Anfragen/,
  ],
])('why TLS costs what it does: %i of 4 connections are new', async (opened, english, german) => {
  const app = await testApp();
  const samples = Array.from({ length: 40 }, (_, i) =>
    request(Date.UTC(2026, 1, 10) + i, i % 4 < opened ? { wait: 10, tcp: 20, tls: 20 } : { wait: 10 }),
  );
  await fill(app.store, samples);
  expect(await readable(app, FEBRUARY)).toMatch(english);
  expect(await readable(app, `${FEBRUARY}&lang=de`)).toMatch(german);
  const { body } = await report(app, `view=summary&format=text&${FEBRUARY}`);
  expect(body).not.toMatch(/most requests/);
});

test('what is said first, per what, and below how many nothing is said, is the reader’s choice', async () => {
  const app = await testApp();
  await fillTwoMonths(app.store);
  const text = await readable(app, `${FEBRUARY}&first=average&per=connection&minN=300`);
  expect(text).toContain('On average a request takes');
  expect(text).toMatch(
    /costs \d+ ms at the median and \d+ ms on average whenever a connection is opened, which is the case for [\d.]+ % of requests/,
  );
  expect(text).toContain('The average comes first. Connections are counted per connection, new ones only.');
  expect(text).toContain('fewer than 300');
  expect(text.indexOf('On average a request takes')).toBeLessThan(text.indexOf('Half of them are answered'));
});

test('compare: of too few requests only their number stands there, and no sentence', async () => {
  const app = await testApp();
  await fillTwoMonths(app.store);
  const rare = { host: 'rare.example.com', template: '/rare' };
  await fill(app.store, [request(Date.UTC(2026, 1, 10), { wait: 77_000 }, rare)]);
  const query = 'view=compare&by=host&from=2026-02-01T00:00:00Z&to=2026-03-01T00:00:00Z';
  const text = await readable(app, query);
  const { body } = await report(app, `${query}&format=csv`, 'admin');
  expect(body).toMatch(/rare\.example\.com,0,1,+not measured\r?\n/);
  expect(text).toContain('1 group has fewer than 30 requests');
  expect(text).not.toContain('rare.example.com, ttlb');
  expect(await readable(app, `${query}&host=rare.example.com`)).toContain('1 group has fewer than 30 requests');
});

test('apps are called by name in what people read, by id in what programs read', async () => {
  const app = await testApp();
  const target = { id: PLAIN_SAMPLE.target, name: 'Order system', match: ['https://erp.example.com/*'] };
  await app.store.settings.write({ version: 1, targets: [target], retention: { sampleDays: 90 } }, null, NOW);
  await fillTwoMonths(app.store);
  const query = `view=summary&by=target&target=${target.id}&${FEBRUARY}`;
  const text = await readable(app, query);
  expect(text).toContain('app Order system: median');
  expect(text).toContain('Only app Order system');
  expect(text).toContain('App: Order system');
  expect((await report(app, `${query}&format=csv`)).body).toMatch(new RegExp(`^${target.id},`, 'm'));
  expect((await report(app, `${query}&format=html`)).body).not.toContain(`>${target.id}<`);
  const byType = `view=summary&by=type&${FEBRUARY}`;
  expect((await report(app, `${byType}&format=html`)).body).toMatch(/>documents</);
  expect((await report(app, `${byType}&format=csv`)).body).toMatch(/^document,/m);
});

test('viewers get no group of few browsers, in no view and no format, also where samples are read', async () => {
  const app = await testApp();
  await fillTwoMonths(app.store, 20);
  const rare = { host: 'rare.example.com', template: '/rare' };
  await fill(app.store, [request(Date.UTC(2026, 1, 10), { wait: 77_000 }, rare)], { client: browserId(1) });
  for (const view of REPORT_VIEWS) {
    for (const extra of view === 'monthly' ? ['', '&outliers=cap:90000'] : ['']) {
      const query = `view=${view}&${FEBRUARY}${extra}${view === 'summary' || view === 'compare' ? '&by=host' : ''}`;
      const viewer = await report(app, `${query}&format=csv`, 'read');
      expect([query, viewer.body.includes('rare.example')]).toEqual([query, false]);
    }
  }
  expect((await report(app, `${FEBRUARY}&format=csv`, 'admin')).body).toContain('rare.example');
}, 120_000);

test.each(REPORT_VIEWS.map((view) => [view]))('an empty range: the report %s says so in every format', async (view) => {
  const app = await testApp();
  for (const format of ['text', 'md', 'html', 'pdf'] as const) {
    const { rawPayload, body } = await report(app, `view=${view}&format=${format}&${FEBRUARY}&lang=en`);
    const said = format === 'pdf' ? readPdf(rawPayload).pages.flat().join(' ') : body;
    expect(said).toContain(view === 'probes' ? 'No probe ran in this range.' : 'Nothing was measured in this range.');
  }
});

test('the moment it was made is printed only where asked for', async () => {
  const app = await testApp();
  await fill(app.store, goldenSamples());
  expect(await readable(app, FEBRUARY)).not.toContain('Created at');
  expect(await readable(app, `${FEBRUARY}&stamp=true`)).toContain('Created at 2026-03-01T12:00:00.000Z.');
});

test.each([
  ['invalid_parameter', 'view=everything', 'monthly, summary, scenarios'],
  ['invalid_parameter', 'format=docx', 'html, pdf, csv, json, md, text'],
  ['invalid_parameter', 'lang=fr', 'en, de'],
  ['invalid_parameter', 'zone=Mars/Base', 'Europe/Berlin'],
  ['invalid_parameter', 'hours=nine-to-five', 'Mon-Fri 08:00-18:00'],
  ['invalid_parameter', 'outliers=some', 'none, tukey, or cap:MS'],
  ['invalid_parameter', 'first=mode', 'median, average'],
  ['invalid_parameter', 'minN=0', 'whole numbers'],
  ['invalid_parameter', 'month=2026-13', '2026-10'],
  ['invalid_parameter', 'month=2026-02&from=2026-02-01T00:00:00Z', 'one or the other'],
  ['invalid_parameter', 'type=scirpt', 'document'],
  ['invalid_time', 'from=yesterday', 'RFC 3339'],
  ['invalid_range', 'from=2026-03-01T00:00:00Z&to=2026-02-01T00:00:00Z', 'exclusive'],
  ['unknown_parameter', 'colour=red', 'host'],
  ['unknown_parameter', 'view=scenarios&outliers=tukey', 'template'],
])('400 %s: %s', async (code, query, hint) => {
  const app = await testApp();
  const answer = await app.send({ url: `/api/v1/report?${query}`, as: 'read' });
  expect([answer.statusCode, answer.json().error.code]).toEqual([400, code]);
  expect(answer.json().error.hint).toContain(hint);
});
