import { createHash, generateKeyPairSync } from 'node:crypto';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makePackages, type PackagesPlan } from '../../collector/rollout/package/make-packages.ts';
import { listFiles, zipFiles } from '../../collector/rollout/package/zip-files.mjs';
import { readXml } from '../unit/policy/read-xml.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { testApp } from './test-app.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const COLLECTOR = 'https://lb.example.com/base';
const AGENTS = {
  chrome:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  edge: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0',
  firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  safari:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15',
  phone: 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
};

async function collector(plan: Partial<PackagesPlan> | null = {}) {
  const folder = join(await temporaryFolder(), 'packages');
  const make = (changes: Partial<PackagesPlan>) =>
    makePackages({
      source: 'dist/extension',
      out: folder,
      targets: [{ match: ['https://erp.example.com/*'] }],
      collector: COLLECTOR,
      enrolment: null,
      onlyTargets: false,
      network: false,
      key: privateKey,
      number: null,
      newId: false,
      ...changes,
    });
  const record = plan === null ? null : await make(plan);
  const app = await testApp({ packagesFolder: folder });
  const get = (url: string, headers: Record<string, string> = {}) => app.send({ method: 'GET', url, headers });
  return { folder, make, record, get, log: app.log };
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

test('update.xml names version, address, size and hash of the very package that is offered', async () => {
  const { record, get } = await collector();
  const answer = await get('/install/update.xml?os=linux&x=id%3Dabc%26v%3D0.1');
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/xml; charset=utf-8']);
  const crx = await get('/install/chromium.crx');
  expect(crx.headers['content-type']).toBe('application/x-chrome-extension');
  const updates = readXml(answer.body.trim());
  expect(updates.attributes).toMatchObject({ protocol: '2.0', xmlns: 'http://www.google.com/update2/response' });
  const [app] = updates.children;
  expect(app?.attributes).toEqual({ appid: record?.chromiumId });
  expect(app?.children[0]).toMatchObject({
    name: 'updatecheck',
    attributes: {
      codebase: `${COLLECTOR}/install/chromium.crx`,
      version: record?.version,
      hash_sha256: sha256(crx.rawPayload),
      size: String(crx.rawPayload.length),
    },
  });
});

test('updates.json does the same for Firefox', async () => {
  const { record, get } = await collector();
  const xpi = await get('/install/firefox.xpi');
  expect(xpi.headers['content-type']).toBe('application/x-xpinstall');
  expect((await get('/install/updates.json')).json()).toEqual({
    addons: {
      'lastbyte@lastbyte.dev': {
        updates: [
          {
            version: record?.version,
            update_link: `${COLLECTOR}/install/firefox.xpi`,
            update_hash: `sha256:${sha256(xpi.rawPayload)}`,
            applications: { gecko: { strict_min_version: record?.minimumFirefox } },
          },
        ],
      },
    },
  });
});

test('packages made anew are offered without a restart, and unchanged ones are not sent twice', async () => {
  const { get, make } = await collector();
  const before = await get('/install/chromium.crx');
  const etag = String(before.headers.etag);
  expect((await get('/install/chromium.crx', { 'if-none-match': etag })).statusCode).toBe(304);
  await make({ targets: [{ match: ['https://crm.example.com/*'] }] });
  const after = await get('/install/chromium.crx', { 'if-none-match': etag });
  expect([after.statusCode, after.rawPayload.equals(before.rawPayload)]).toEqual([200, false]);
  expect((await get('/install/update.xml')).body).toContain(sha256(after.rawPayload));
});

test('packages without an address of their own come from where they were asked for', async () => {
  const { get } = await collector({ collector: null });
  expect((await get('/install/update.xml')).body).toContain('"http://localhost:8642/install/chromium.crx"');
});

test('before anything was packaged everything says so, and how', async () => {
  const { get } = await collector(null);
  for (const name of ['update.xml', 'updates.json', 'chromium.crx', 'chromium.zip', 'firefox.xpi']) {
    const answer = await get(`/install/${name}`);
    expect([name, answer.statusCode]).toEqual([name, 404]);
    expect(answer.json()).toEqual({
      error: {
        code: 'not_found',
        message: 'nothing has been packaged yet',
        hint: expect.stringContaining('lastbyte package --collector'),
      },
    });
  }
  const page = await get('/install');
  expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(page.body).toContain('package it in <a href="./">the dashboard</a>');
});

test('nothing else of the folder can be had, whatever the address', async () => {
  const { get, folder } = await collector({ enrolment: null });
  await writeFile(join(folder, '../signing-key.pem'), 'secret');
  for (const url of [
    '/install/packages.json',
    '/install/chromium-store.zip',
    '/install/../signing-key.pem',
    '/install/%2e%2e/signing-key.pem',
    '/install/..%2fsigning-key.pem',
    '/install/chromium/manifest.json',
  ]) {
    const answer = await get(url);
    expect([url, answer.statusCode, answer.body.includes('secret')]).toEqual([url, 404, false]);
  }
});

test.each([
  ['chrome', 'Chrome and Chromium', /Load unpacked/],
  ['edge', 'Edge', /edge:\/\/extensions/],
  ['firefox', 'Firefox', /not signed by Mozilla/],
] as const)('the page tells %s what to do first, and the others below', async (browser, name, what) => {
  const { get } = await collector();
  const { statusCode, body, headers } = await get('/install', { 'user-agent': AGENTS[browser] });
  expect([statusCode, headers.vary]).toEqual([200, 'user-agent, accept-language, cookie']);
  const card = /<section class="card">([\s\S]*?)<\/section>/.exec(body)?.[1] ?? '';
  expect(card).toContain(`<h2>${name}</h2>`);
  expect(card).toMatch(what);
  expect(body.match(/<details>/g)).toHaveLength(2);
  expect(body).toContain('<code>https://erp.example.com/*</code>');
});

test.each(['safari', 'phone'] as const)('the page tells %s that it cannot be measured', async (browser) => {
  const { get } = await collector();
  expect((await get('/install', { 'user-agent': AGENTS[browser] })).body).toContain('This browser cannot be measured');
});

test.each([
  ['a header', '/install', { 'accept-language': 'de-AT,de;q=0.9' }],
  ['the language of the dashboard', '/install', { cookie: 'lastbyte-language=de', 'accept-language': 'en' }],
  ['its address', '/install?lang=de', { 'accept-language': 'en' }],
])('the page is in the language of %s', async (_name, url, headers) => {
  for (const plan of [{}, null]) {
    const { get } = await collector(plan);
    expect((await get(url, headers)).body).toContain('<html lang="de">');
  }
});

test('the steps end with the enrolment, unless the package holds the key', async () => {
  const stepsOf = async (plan: Partial<PackagesPlan>, agent: keyof typeof AGENTS) => {
    const { get } = await collector(plan);
    const { body } = await get('/install', { 'user-agent': AGENTS[agent] });
    return /<section class="card">[\s\S]*?<\/section>/
      .exec(body)?.[0]
      .match(/<li>.*/g)
      ?.slice(-1)[0];
  };
  expect(await stepsOf({}, 'chrome')).toMatch(/Enter the key, which your administrator has, and/);
  expect(await stepsOf({}, 'firefox')).toMatch(/Enter the key/);
  // Nothing in such a package says where its collector is.
  expect(await stepsOf({ collector: null }, 'chrome')).toContain('the address <code>http://localhost:8642</code>');
  // Firefox takes updates, and with them the address, only by https.
  expect(await stepsOf({ collector: 'http://127.0.0.1:8642' }, 'firefox')).toContain('the address <code>http://127');
  expect(await stepsOf({ collector: 'http://127.0.0.1:8642' }, 'chrome')).not.toContain('the address');
  const enrolment = { collector: COLLECTOR, key: `lb_ingest_${'x'.repeat(43)}`, site: '' };
  expect(await stepsOf({ enrolment }, 'chrome')).toMatch(/Load unpacked/);
});

test('an xpi that Mozilla has signed is one click away', async () => {
  const { get, folder } = await collector();
  const files = await listFiles(join(folder, 'firefox'));
  const signature = { name: 'META-INF/mozilla.rsa', content: Buffer.from('x') };
  await writeFile(join(folder, 'firefox.xpi'), zipFiles([...files, signature]));
  const { body } = await get('/install', { 'user-agent': AGENTS.firefox });
  expect(body).toContain('<a class="button" href="install/firefox.xpi">');
});

test('the page needs no script, and brings nothing that the policy of contents refuses', async () => {
  const { get } = await collector();
  for (const agent of Object.values(AGENTS)) {
    const { body, headers } = await get('/install', { 'user-agent': agent });
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(body).not.toMatch(/<script|<style|\sstyle=|\son\w+=|src=|@import/i);
    for (const [, href = ''] of body.matchAll(/href="([^"]*)"/g))
      expect(href).toMatch(/^(install\/[\w.-]+|data:,|\.\/(?:\?view=settings&amp;part=keys)?|install\?lang=de)$/);
  }
  const style = await get('/install/install.css');
  expect(style.headers['content-type']).toBe('text/css; charset=utf-8');
  expect(style.body).toContain('prefers-color-scheme: dark');
  expect(style.body).not.toMatch(/url\(|@import/);
});

test('what an administrator or a stranger writes cannot become markup', async () => {
  const { get, folder } = await collector({ collector: 'https://lb.example.com/"><script>x</script>&' });
  const page = await get('/install', { 'user-agent': '"><script>Firefox/1</script>' });
  expect(page.body).not.toContain('<script>');
  expect(() => readXml('')).toThrow();
  expect(readXml((await get('/install/update.xml')).body.trim()).name).toBe('gupdate');

  await appendFile(join(folder, 'packages.json'), 'x');
  // Anyone may ask: the log alone names the file.
  const broken = await get('/install/update.xml');
  expect([broken.statusCode, broken.json().error]).toEqual([
    500,
    { code: 'internal_error', message: 'the collector failed', hint: expect.any(String) },
  ]);
});

test('no token is asked for, none is in the packages, and nobody who asks is logged', async () => {
  const { get, log, folder } = await collector();
  for (const url of ['/install', '/install/update.xml', '/install/firefox.xpi']) {
    expect((await get(url, { 'user-agent': AGENTS.firefox })).statusCode).toBe(200);
  }
  expect(log.join()).not.toContain('Firefox');
  expect((await readFile(join(folder, 'firefox.xpi'))).toString('latin1')).not.toMatch(/lb_ingest_[\w-]/);
});
