import { Command } from 'commander';
import { ASKED_DIMENSIONS } from '../../shared/vocabulary/dimensions.ts';
import { EXPORT_FORMAT_NAMES } from '../exchange/export/export-formats.ts';
import { EXPORT_PARAMETERS, type ExportProgress, runExport } from '../exchange/export/run-export.ts';
import { UsageFailure } from '../lib/failure.ts';
import { note, printJson } from '../lib/print.ts';
import { progressBar } from '../lib/progress-bar.ts';
import { stopSignal } from '../lib/stop-signal.ts';
import { VERSION } from '../lib/version.ts';
import { writeToStandardOutput, writeWholeFile } from '../lib/write-whole-file.ts';
import { parseParameters } from '../questions/parameters.ts';
import type { QueryString } from '../questions/query-string.ts';
import { SEES_EVERYTHING } from '../questions/viewer-rule.ts';
import { addFilterOption, type FilterOption, parseFilters } from './filter-option.ts';
import { addRangeOptions, checkZone, type RangeOption, rangeParameters } from './range-option.ts';
import { dataOption, type StoreOption, withStore } from './store-option.ts';

interface ExportOptions extends StoreOption, FilterOption, RangeOption {
  readonly format?: string;
  readonly out?: string;
}

export function exportCommand(): Command {
  const command = new Command('export')
    .description('write samples to a file: CSV, NDJSON, Parquet or HAR')
    .option('--format <format>', `${EXPORT_FORMAT_NAMES.join(', ')}; default csv`);
  addRangeOptions(command, '24 hours before --to');
  return addFilterOption(command)
    .option('--zone <zone>', 'time zone of dates without a time; default UTC')
    .option('--out <file>', 'file to write; default standard output')
    .addOption(dataOption())
    .option('--json', 'print {file, rows, bytes}; needs --out')
    .addHelpText(
      'after',
      '\nExample:\n  lastbyte export --format parquet --from 2026-03-01 --to 2026-04-01 --filter target=erp --out march.parquet\n  lastbyte export --last 7d --out week.csv',
    )
    .action(exportSamples);
}

async function exportSamples(options: ExportOptions): Promise<void> {
  const now = Date.now();
  const query = parseParameters(EXPORT_PARAMETERS, parametersOf(options, now), now);
  const { out } = options;
  if (options.json && out === undefined) {
    throw new UsageFailure('--json needs --out', 'Standard output can carry the samples or the JSON, not both.');
  }
  await withStore(options, async (store) => {
    const bar = progressBar();
    let rows = 0;
    const progress: ExportProgress = (done, share) => {
      rows = done;
      bar.show(share, `${done} samples`);
    };
    const { bytes } = await runExport(
      { store, version: VERSION, viewer: SEES_EVERYTHING, signal: stopSignal() },
      query,
      { progress },
    );
    const written = await (out === undefined ? writeToStandardOutput(bytes) : writeWholeFile(out, bytes)).finally(
      bar.clear,
    );
    if (options.json) printJson({ file: out, rows, bytes: written });
    else if (out !== undefined) note(`Wrote ${rows} samples to ${out}.`);
    else if (rows === 0) note('There are no samples in this range.');
  });
}

/** The same names as in the query string of GET /api/v1/export. */
function parametersOf(options: ExportOptions, now: number): QueryString {
  const { format } = options;
  checkZone(options);
  return { ...parseFilters(options, ASKED_DIMENSIONS), format, ...rangeParameters(options, now) };
}
