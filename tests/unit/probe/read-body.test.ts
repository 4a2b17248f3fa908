import { expect, test } from 'vitest';
import { readBody } from '../../../extension/probe/read-body.ts';

function body(...chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}
const bytes = (text: string) => new TextEncoder().encode(text);

test('finds a text wherever the network cuts it', async () => {
  const page = bytes('<h1>Grüß Gott, bitte anmelden</h1>');
  for (let cut = 0; cut <= page.length; cut++) {
    expect(await readBody(body(page.slice(0, cut), page.slice(cut)), 'Grüß Gott'), `cut at ${cut}`).toBe(true);
  }
  expect(await readBody(body(...[...page].map((byte) => Uint8Array.of(byte))), 'anmelden')).toBe(true);
  expect(await readBody(body(page, page), 'abmelden')).toBe(false);
});

test('a body without an end is read as it comes, and a failure in its middle is told', async () => {
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent++ < 10_000) controller.enqueue(new Uint8Array(16_384));
      else controller.error(new Error('stopped'));
    },
  });
  await expect(readBody(endless, 'text')).rejects.toThrow('stopped');
});

test('no body, as after HEAD, holds no text', async () => {
  expect(await readBody(null, 'text')).toBe(false);
  expect(await readBody(body(bytes('text')), null)).toBe(false);
});
