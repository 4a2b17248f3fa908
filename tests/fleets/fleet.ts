import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openStore } from '../../collector/storage/open-store.ts';
import { endOf, fillFleet, toSource } from './fill-fleet.ts';
import { FLEET_NAMES, FULL_SAMPLES, isFleetName, namedFleet } from './named-fleets.ts';
import { takePictures } from './pictures.ts';

const USAGE = `Usage: npm run fleet -- fill NAME --data DIR [--samples N] [--until DAY]
       npm run fleet -- pictures --data DIR --out DIR [--lang LANGUAGE] [--only NAME]
fill       a data folder with a generated fleet: ${FLEET_NAMES.join(', ')}
           --samples   about how many; default ${FULL_SAMPLES}
           --until     the day after the last one, such as 2026-11-01; default today
pictures   of every view of the built dashboard with such a folder, and of the report
           --only      those whose names start so, such as overview`;

const DAY_MS = 24 * 3_600_000;

/** What `pictures` needs to know of a folder that `fill` has filled. */
const DESCRIPTION = 'fleet.json';

/** @returns the exit code */
async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      data: { type: 'string' },
      samples: { type: 'string' },
      until: { type: 'string' },
      out: { type: 'string' },
      lang: { type: 'string' },
      only: { type: 'string' },
    },
  });
  const [command, name = ''] = positionals;
  const { data, out, lang, only } = values;
  if (command === 'fill' && data !== undefined && isFleetName(name)) {
    const until = values.until === undefined ? Math.floor(Date.now() / DAY_MS) * DAY_MS : Date.parse(values.until);
    const samples = Number(values.samples ?? FULL_SAMPLES);
    if (!Number.isSafeInteger(until / DAY_MS) || !(samples > 0)) return usage();
    const { plan, truth } = namedFleet(name, until, samples);
    await mkdir(data, { recursive: true });
    const store = await openStore({ folder: data, as: 'command', clock: () => until });
    try {
      await fillFleet(store, toSource(plan), (line) => console.error(line));
    } finally {
      await store.close();
    }
    const range = { from: plan.from, to: endOf(plan) };
    await writeFile(join(data, DESCRIPTION), `${JSON.stringify({ name, ...range, truth }, null, 2)}\n`);
    return 0;
  }
  if (command === 'pictures' && data !== undefined && out !== undefined) {
    await takePictures(data, join(data, DESCRIPTION), out, lang ?? null, only ?? null, (line) => console.log(line));
    return 0;
  }
  return usage();
}

function usage(): number {
  console.error(USAGE);
  return 2;
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))) throw error;
  console.error(error.message);
  process.exitCode = usage();
}
