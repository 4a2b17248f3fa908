import { performance } from 'node:perf_hooks';
import { expect, it } from 'vitest';
import { createDelayLine } from '../../../collector/lab/servers/delay-line.ts';
import { waitAtLeast } from '../../../collector/lab/servers/wait-at-least.ts';

it('releases in order, and never early', async () => {
  const line = createDelayLine(7);
  const added = performance.now();
  const released = await new Promise<{ name: string; after: number }[]>((resolve) => {
    const seen: { name: string; after: number }[] = [];
    for (const name of ['a', 'b', 'c']) {
      line.add(() => {
        seen.push({ name, after: performance.now() - added });
        if (seen.length === 3) resolve(seen);
      });
    }
  });
  expect(released.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  for (const { after } of released) expect(after).toBeGreaterThanOrEqual(7);
});

it('counts the delay of each action from its own addition', async () => {
  const line = createDelayLine(12);
  const start = performance.now();
  await new Promise<void>((resolve) => {
    line.add(() => {});
    setTimeout(() => line.add(resolve), 6);
  });
  expect(performance.now() - start).toBeGreaterThanOrEqual(17);
});

it('drops what it holds', async () => {
  const line = createDelayLine(2);
  let released = 0;
  line.add(() => released++);
  line.clear();
  await new Promise<void>((resolve) => line.add(resolve));
  expect(released).toBe(0);
});

it('waits no less than asked, which Node alone does not promise', async () => {
  for (let ms = 1; ms <= 10; ms++) {
    const start = performance.now();
    await waitAtLeast(ms);
    expect(performance.now() - start).toBeGreaterThanOrEqual(ms);
  }
});
