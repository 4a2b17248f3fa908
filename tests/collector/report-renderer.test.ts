import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { ReportSource } from '../../collector/reports/document/report-request.ts';
import { createReportRenderer, MAX_OWN_WAITING } from '../../collector/reports/report-renderer.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Stands in for render-thread.ts: a report is its title, one called `endless` is never done, and `grow` takes all memory. */
const THREAD = `
import { parentPort } from 'node:worker_threads';
const grow = (kept) => kept.push(Array.from({ length: 1000 }, (_, n) => n + 0.5));
parentPort.on('message', ({ id, input: [{ title }] }) => {
  if (title === 'grow') for (const kept = []; ; ) grow(kept);
  if (title !== 'endless') parentPort.postMessage({ id, output: { bytes: Buffer.from(title) } });
});
`;

async function renderer() {
  const script = join(await temporaryFolder(), 'thread.mjs');
  await writeFile(script, THREAD);
  const made = createReportRenderer(pathToFileURL(script));
  onTestFinished(() => made.close());
  const render = (title: string, token: string, signal?: AbortSignal) =>
    made.render({ title } as unknown as ReportSource, 'pdf', { token, signal });
  return { render, close: () => made.close() };
}

test('reports of one token do not hold up those of another: they take turns', async () => {
  const { render } = await renderer();
  const order: string[] = [];
  const asked = [
    ...Array.from({ length: 5 }, (_, i) => render(`many ${i}`, 'many')),
    ...Array.from({ length: 2 }, (_, i) => render(`few ${i}`, 'few')),
  ];
  await Promise.all(asked.map((one) => one.then(({ bytes }) => order.push(bytes.toString()))));
  expect(order).toEqual(['many 0', 'many 1', 'few 0', 'many 2', 'few 1', 'many 3', 'many 4']);
});

test('a token has only so many waiting; who leaves makes room, and closing ends what is left', async () => {
  const { render, close } = await renderer();
  const leaving = new AbortController();
  const first = render('endless', 'many').catch((error: Error) => error.message);
  const left = render('left', 'many', leaving.signal).catch((error: Error) => error.message);
  const waiting = Array.from({ length: MAX_OWN_WAITING - 1 }, (_, i) =>
    render(`waiting ${i}`, 'many').catch((error: Error) => error.message),
  );
  await expect(render('one more', 'many')).rejects.toThrow('too many reports');
  const other = render('other', 'other').catch((error: Error) => error.message);
  leaving.abort(new Error('gone'));
  expect(await left).toBe('gone');
  const again = render('again', 'many').catch((error: Error) => error.message);
  await close();
  const ended = 'the thread that makes reports has ended';
  const all = await Promise.all([first, other, again, ...waiting]);
  expect(all).toEqual(all.map(() => ended));
});

test('a report that outgrows the heap of its thread is told so, and the next is made in another', async () => {
  const { render } = await renderer();
  const [large, next] = [render('grow', 'one'), render('next', 'other')];
  await expect(large).rejects.toMatchObject({ code: 'answer_too_large' });
  expect((await next).bytes.toString()).toBe('next');
});
