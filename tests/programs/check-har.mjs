/**
 * Holds the HAR export to a browser's own developer tools: the importer of Chromium's DevTools, taken from the browser that
 * is installed, reads it, and has the same requests with the same times.
 *
 *   npm run build && node tests/programs/check-har.mjs [a file of `lastbyte export --format har`]
 *
 * Without a file it exports the documented batch. CHROMIUM names another browser.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { freePort, until, withPrograms } from './with-programs.mjs';

/** DevTools keeps seconds in binary fractions. */
const SAME_MS = 0.05;

await withPrograms('har', async (programs) => {
  const file = process.argv[2] ?? (await exportedBatch(programs));
  const text = await readFile(file, 'utf8');
  const { entries } = JSON.parse(text).log;
  assert.ok(entries.length > 0, 'nothing was exported');
  const read = await byDevTools(text);
  assert.equal(read.length, entries.length);
  read.forEach((request, place) => {
    const { time, timings, request: asked, response, _resourceType: type } = entries[place];
    const where = `entry ${place}, ${asked.url}`;
    assert.equal(request.url, asked.url, where);
    assert.equal(request.status, response.status, where);
    assert.equal(request.type, type ?? request.type, where);
    assert.ok(Math.abs(request.time - time) < SAME_MS, `${where}: ${request.time} ms, not ${time}`);
    if (timings.connect > 0) {
      assert.ok(Math.abs(request.connect - timings.connect) < SAME_MS, `${where}: connect ${request.connect} ms`);
    }
  });
  console.log(`DevTools: imported ${read.length} requests, each with its address, status, type and times`);
});

async function byDevTools(text) {
  const port = await freePort();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
  });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/devtools/devtools_app.html`);
    return await page.evaluate(async (har) => {
      // What the Network panel calls for "Import HAR file".
      const { HARFormat, Importer } = await import(new URL('./models/har/har.js', location.href).href);
      const { log } = new HARFormat.HARRoot(JSON.parse(har));
      return Importer.Importer.requestsFromHARLog(log).map((request) => ({
        url: request.url(),
        status: request.statusCode,
        type: request.resourceType().name(),
        time: request.duration * 1000,
        connect: connectOf(request.timing),
      }));

      /** Where all of it is TLS, DevTools gives it no other start. */
      function connectOf(timing) {
        if (!timing) return -1;
        const { connectStart, connectEnd, sslStart } = timing;
        return connectEnd - (connectStart < 0 ? sslStart : connectStart);
      }
    }, text);
  } finally {
    await browser.close();
  }
}

async function exportedBatch({ folder, start }) {
  const data = join(folder, 'data');
  const lastbyte = (...args) =>
    execFileSync(process.execPath, ['dist/lastbyte.mjs', ...args, '--data', data], { encoding: 'utf8' });
  const { token } = JSON.parse(lastbyte('token', 'create', '--role', 'ingest', '--json', '--create'));
  const port = await freePort();
  start(process.execPath, ['dist/lastbyte.mjs', 'serve', '--port', String(port), '--data', data]);
  const url = `http://127.0.0.1:${port}`;
  await until(() => fetch(`${url}/readyz`).then(({ ok }) => ok));
  const batch = JSON.parse(await readFile('docs/examples/batch.json', 'utf8'));
  const now = Date.now();
  const at = batch.columns.at.map((value, place) => (place === 0 ? now : Math.min(0, value)));
  const body = JSON.stringify({ ...batch, sentAt: now, columns: { ...batch.columns, at } });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/v1/batches`, { method: 'POST', headers, body });
  assert.equal(response.status, 200, await response.text());
  const file = join(folder, 'samples.har');
  lastbyte('export', '--format', 'har', '--out', file);
  return file;
}
