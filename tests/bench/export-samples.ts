import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { EXPORT_FORMAT_NAMES, type ExportFormatName } from '../../collector/exchange/export/export-formats.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { END_MS, fillStore } from './fill-store.ts';
import { DAYS, FIRST_MS } from './generate-samples.ts';

const SAMPLES = 1_000_000;
const DAY_MS = 24 * 3_600_000;
const HAR_BYTES = 500 * 1024 * 1024;
/** A body in every entry, as developer tools save them. */
const BODY = 'Lorem ipsum dolor sit amet. '.repeat(1800);
const MIN_ROWS_PER_SECOND: Readonly<Partial<Record<ExportFormatName, number>>> = { csv: 200_000, parquet: 100_000 };
const MAX_RSS_MB = 300;
const MEBIBYTE = 1024 * 1024;

/** Per second of the clock, and per second of processor time: what would be without others on the machine. */
type FormatFigure = 'RowsPerSecond' | 'RowsPerCpuSecond' | 'MaxRssMb';
type FormatFigures = Readonly<Record<`${ExportFormatName}${FormatFigure}`, number>>;

export interface SampleExportFigures extends FormatFigures {
  readonly harImportMbPerSecond: number;
  readonly harImportMaxRssMb: number;
}

/** What the built command does, from its start to its end: a million samples to a file, half a gigabyte of HAR in. */
export async function sampleExportFigures(progress: (line: string) => void): Promise<SampleExportFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'lastbyte-bench-export-'));
  const data = join(folder, 'data');
  try {
    const store = await openStore({ folder: data, as: 'command', clock: () => END_MS + DAY_MS });
    await fillStore(store, SAMPLES, progress);
    await store.close();
    const figures: Record<string, number> = {};
    const range = [
      '--from',
      new Date(FIRST_MS).toISOString(),
      '--to',
      new Date(FIRST_MS + (DAYS + 1) * DAY_MS).toISOString(),
    ];
    for (const format of EXPORT_FORMAT_NAMES) {
      const out = join(folder, `samples.${format}`);
      const { seconds, cpuSeconds, rssMb, stdout } = await measured([
        'export',
        ...range,
        '--format',
        format,
        '--out',
        out,
        '--json',
        '--data',
        data,
      ]);
      const { rows } = JSON.parse(stdout) as { rows: number };
      if (rows !== SAMPLES) throw new Error(`${rows} rows were written`);
      figures[`${format}RowsPerSecond`] = Math.round(rows / seconds);
      figures[`${format}RowsPerCpuSecond`] = Math.round(rows / cpuSeconds);
      figures[`${format}MaxRssMb`] = rssMb;
      progress(`${format}: ${Math.round(rows / seconds)} rows/s, ${rssMb} MB`);
      await rm(out);
    }
    const imported = await measureImport(folder, data);
    progress(`import: ${imported.harImportMbPerSecond} MB/s, ${imported.harImportMaxRssMb} MB`);
    return { ...(figures as FormatFigures), ...imported };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function sampleExportMisses(figures: SampleExportFigures): string[] {
  const all = EXPORT_FORMAT_NAMES.flatMap((format) => {
    const rate = figures[`${format}RowsPerSecond`];
    const least = MIN_ROWS_PER_SECOND[format] ?? 0;
    const rss = figures[`${format}MaxRssMb`];
    return [
      ...(rate < least ? [`${format}: ${rate} rows/s, not ${least}`] : []),
      ...(rss > MAX_RSS_MB ? [`${format}: ${rss} MB resident, not ${MAX_RSS_MB}`] : []),
    ];
  });
  const { harImportMaxRssMb } = figures;
  return harImportMaxRssMb > MAX_RSS_MB ? [...all, `import: ${harImportMaxRssMb} MB resident, not ${MAX_RSS_MB}`] : all;
}

async function measureImport(folder: string, data: string) {
  const settings = join(folder, 'settings.json');
  const targets = [{ id: 'app', name: 'App', match: ['https://app.example.com/*'] }];
  await writeFile(settings, JSON.stringify({ version: 1, targets }));
  await measured(['settings', 'apply', settings, '--data', data]);
  const file = join(folder, 'large.har');
  await writeHar(file);
  const { seconds, rssMb } = await measured(['import', 'har', file, '--json', '--data', data]);
  const { size } = await stat(file);
  return { harImportMbPerSecond: Math.round(size / MEBIBYTE / seconds), harImportMaxRssMb: rssMb };
}

async function writeHar(file: string): Promise<void> {
  const stream = createWriteStream(file);
  stream.write('{"log":{"version":"1.2","creator":{"name":"bench","version":"1"},"pages":[],"entries":[');
  for (let entry = 0; stream.bytesWritten < HAR_BYTES; entry++) {
    const one = {
      startedDateTime: new Date(FIRST_MS + entry).toISOString(),
      time: 100,
      request: { method: 'GET', url: `https://app.example.com/page/${entry}`, httpVersion: 'h2', headers: [] },
      response: {
        status: 200,
        httpVersion: 'h2',
        headers: [],
        bodySize: 9000,
        content: { size: BODY.length, mimeType: 'text/html', text: BODY },
      },
      cache: {},
      timings: { blocked: 1, dns: 2, connect: 60, ssl: 30, send: 0, wait: 36, receive: 1 },
    };
    if (!stream.write(`${entry === 0 ? '' : ','}${JSON.stringify(one)}`)) await once(stream, 'drain');
  }
  stream.end(']}}');
  await once(stream, 'finish');
}

/** A command from its start to its end, and the most memory it had. Throws where it failed. */
async function measured(args: readonly string[]) {
  const tell = `process.on("exit",()=>{
    const {maxRSS,userCPUTime,systemCPUTime}=process.resourceUsage();
    process.stderr.write("\\nused "+maxRSS+" "+(userCPUTime+systemCPUTime)+"\\n")})`;
  const started = performance.now();
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(tell)}`, 'dist/lastbyte.mjs', ...args],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [[code], stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${stderr}`);
  const seconds = (performance.now() - started) / 1000;
  const [, kilobytes, microseconds] = /used (\d+) (\d+)/.exec(stderr) ?? [];
  return { seconds, cpuSeconds: Number(microseconds) / 1e6, rssMb: Math.round(Number(kilobytes) / 1024), stdout };
}
