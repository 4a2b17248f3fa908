import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { BROWSER_ENGINES } from '../../shared/vocabulary/vocabulary.ts';
import { type PackagedExtension, packageForTest } from '../browser/fixture/packaged-extension.ts';
import { startTestApp } from '../browser/fixture/test-app.ts';
import { startTestCollector } from '../browser/fixture/test-collector.ts';
import type { Bench } from './bench-result.ts';
import { capturedOnce } from './captured-once.ts';
import { type LoadRatio, loadPairs } from './load-pairs.ts';
import { APP_PAGES, APP_TARGETS, RESOURCES } from './page-of-resources.ts';
import { type ScriptCost, scriptCost } from './script-cost.ts';

/** Half as many leave an interval of 4.5 % to both sides, wider than what is to be told by it. */
const PAIRS = 160;
const LIMITS = {
  contentGzipBytes: 4 * 1024,
  backgroundGzipBytes: 40 * 1024,
  scriptMs: 10,
  longestTaskMs: 5,
  loadRatio: 1.03,
  loadRatioUpper: 1.06,
};

interface Figures extends ScriptCost, LoadRatio {
  readonly contentGzipBytes: number;
  readonly backgroundGzipBytes: number;
  /** Of 500, those that arrived exactly once, in the browser where fewest did. */
  readonly captured: number;
}

/** What the extension costs a page, and whether it sees all of it. */
export const extensionBench: Bench = {
  name: 'extension',
  async run(progress, { pairs = PAIRS } = {}) {
    const app = await startTestApp({ tls: null, roundTripMs: 0, pages: APP_PAGES });
    const collector = await startTestCollector(APP_TARGETS);
    const extension = await packageForTest('chromium', collector, APP_TARGETS);
    try {
      const sizes = await gzipSizes(extension);
      const counts: number[] = [];
      for (const engine of BROWSER_ENGINES) {
        counts.push(await capturedOnce(engine, app));
        progress(`${engine}: ${counts.at(-1)} of ${RESOURCES} resources arrived exactly once`);
      }
      const script = await scriptCost({ app, collector, extension, progress });
      const ratio = await loadPairs({ app, collector, extension, pairs, progress });
      const figures: Figures = { ...sizes, ...script, ...ratio, captured: Math.min(...counts) };
      return { figures, misses: missesOf(figures) };
    } finally {
      await Promise.all([app.close(), collector.close(), extension.remove()]);
    }
  },
};

async function gzipSizes({
  dir,
}: PackagedExtension): Promise<Pick<Figures, 'contentGzipBytes' | 'backgroundGzipBytes'>> {
  const [contentGzipBytes = 0, backgroundGzipBytes = 0] = await Promise.all(
    ['content.js', 'background.js'].map(async (file) => gzipSync(await readFile(join(dir, file))).length),
  );
  return { contentGzipBytes, backgroundGzipBytes };
}

function missesOf({ loadRatioInterval, captured, ...figures }: Figures): string[] {
  const misses: string[] = [];
  for (const name of ['contentGzipBytes', 'backgroundGzipBytes', 'scriptMs', 'longestTaskMs', 'loadRatio'] as const) {
    if (!(figures[name] <= LIMITS[name])) misses.push(`${name} is ${figures[name]}; the limit is ${LIMITS[name]}.`);
  }
  const [, upper] = loadRatioInterval;
  if (!(upper <= LIMITS.loadRatioUpper)) {
    misses.push(`loadRatioInterval ends at ${upper}; the limit is ${LIMITS.loadRatioUpper}.`);
  }
  if (captured !== RESOURCES) misses.push(`captured is ${captured}; it has to be ${RESOURCES}.`);
  return misses;
}
