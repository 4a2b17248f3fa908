import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { writeToStandardOutput } from '../../../collector/lib/write-whole-file.ts';

const PIECES = Array.from({ length: 100 }, () => new Uint8Array(64));

test('a slow reader costs no listener for each piece', async () => {
  let most = 0;
  const slow = new Writable({
    highWaterMark: 1,
    write(_piece, _encoding, done) {
      most = Math.max(most, ...this.eventNames().map((name) => this.listenerCount(name)));
      void setImmediate().then(() => done());
    },
  });
  expect(await writeToStandardOutput(PIECES, slow)).toBe(6400);
  expect(most).toBeLessThanOrEqual(2);
});

test('a reader that leaves ends the writing with the option to use instead', async () => {
  const leaving = new Writable({ highWaterMark: 1, write: (_piece, _encoding, done) => done(new Error('EPIPE')) });
  await expect(writeToStandardOutput(PIECES, leaving)).rejects.toThrow('standard output was closed');
  const stuck = new Writable({ highWaterMark: 1, write: () => undefined });
  const written = writeToStandardOutput(PIECES, stuck);
  stuck.destroy();
  await expect(written).rejects.toThrow('standard output was closed');
});
