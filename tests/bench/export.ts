import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../collector/storage/open-store.ts';
import type { Bench } from './bench-result.ts';
import { sampleExportFigures, sampleExportMisses } from './export-samples.ts';
import { END_MS, fillStore } from './fill-store.ts';
import { reportFigures, reportMisses } from './report-figures.ts';

const SAMPLES = 10_000_000;
const DAY_MS = 24 * 3_600_000;

/** What people hand on: of a million samples all formats, of ten million the default report as HTML and PDF. */
export const exportBench: Bench = {
  name: 'export',
  async run(progress) {
    const samples = await sampleExportFigures(progress);
    const folder = await mkdtemp(join(tmpdir(), 'lastbyte-bench-'));
    const store = await openStore({ folder, as: 'command', clock: () => END_MS + DAY_MS });
    try {
      await fillStore(store, SAMPLES, progress);
      const reports = await reportFigures(store, progress);
      return {
        figures: { ...samples, ...reports },
        misses: [...sampleExportMisses(samples), ...reportMisses(reports)],
      };
    } finally {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
