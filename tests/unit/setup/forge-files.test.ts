import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createProgram } from '../../../collector/cli/program.ts';
import { parseClickHouseAddress } from '../../../collector/storage/clickhouse/clickhouse-address.ts';
import { parseControlAddress } from '../../../collector/storage/postgres/control-address.ts';
import manifest from '../../../package.json' with { type: 'json' };
import otherNodes from '../../nodes/package.json' with { type: 'json' };

interface Job {
  readonly permissions?: object;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
}
interface Service {
  readonly command?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

const DOCKERFILE = readFileSync('Dockerfile', 'utf8');
const WORKFLOWS = new Map(globSync('.github/workflows/*.yaml').map((file) => [file, readFileSync(file, 'utf8')]));
const COMPOSE = globSync('packaging/compose/*.yaml');
const everything = [DOCKERFILE, ...WORKFLOWS.values()].join('\n');

function matches(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), ([, found = '']) => found);
}

function jobs(file: string): Job[] {
  return Object.values(parse(WORKFLOWS.get(file) ?? '').jobs);
}

function majors(versions: Iterable<string>): string[] {
  return [...new Set(Array.from(versions, (version) => version.split('.')[0] ?? ''))].sort();
}

/** Arguments that `lastbyte serve` does not know, as its own parser sees them. */
function unknownTo(command: readonly string[]): string[] {
  const [name, ...args] = command;
  const serve = createProgram().commands.find((each) => each.name() === name);
  if (serve === undefined) return [...command];
  const { operands, unknown } = serve.parseOptions(args);
  return [...operands, ...unknown];
}

test('checks run on every Node that package.json admits and test:nodes has', () => {
  const inImage = matches(everything, /\bnode:([\d.]+)-/g);
  expect(new Set(inImage).size).toBe(1);
  const checked = jobs('.github/workflows/check.yaml').flatMap(({ strategy }) => strategy?.matrix.node ?? []);
  const tested = Object.values(otherNodes.dependencies).map((version) => version.split('@')[1] ?? '');
  expect(majors(checked.map(String))).toEqual(majors([...tested, ...inImage]));
  expect(majors(checked.map(String))).toEqual(
    expect.arrayContaining(majors(matches(manifest.engines.node, /(\d[\d.]*)/g))),
  );
});

test('scripts, files and projects that workflows name exist', () => {
  const scripts = [
    ...matches(everything, /\bnpm run ([\w:]+)/g).filter((name) => name !== ''),
    ...jobs('.github/workflows/nightly.yaml').flatMap(({ strategy }) => strategy?.matrix.script ?? []),
  ];
  expect(scripts.length).toBeGreaterThan(5);
  expect(scripts.filter((name) => !Object.hasOwn(manifest.scripts, String(name)))).toEqual([]);
  const files = matches(everything, /(?<![\w./-])((?:packaging|collector|tests|docs)\/[\w./-]+)/g);
  expect(files.length).toBeGreaterThan(1);
  expect(files.filter((file) => !file.endsWith('/dist') && !existsSync(file))).toEqual([]);
});

test('only the job that publishes may write, and actions are pinned by a full version', () => {
  const [build, publish] = jobs('.github/workflows/release.yaml');
  expect(build?.permissions).toEqual({ contents: 'read' });
  expect(publish?.permissions).toMatchObject({ attestations: 'write', 'id-token': 'write' });
  for (const [file, text] of WORKFLOWS) {
    expect(parse(text).permissions, file).toEqual(file.endsWith('release.yaml') ? {} : { contents: 'read' });
    const pins = matches(text, /\buses: (\S+)/g);
    expect(
      pins.filter((pin) => !/@(v\d+\.\d+\.\d+|[0-9a-f]{40})$/.test(pin)),
      file,
    ).toEqual([]);
  }
});

test('the image starts a command that the collector knows, and asks a route for its health', () => {
  expect(unknownTo(JSON.parse(/^CMD (\[.*\])$/m.exec(DOCKERFILE)?.[1] ?? '[]'))).toEqual([]);
  const route = /8642(\/\w+)/.exec(DOCKERFILE)?.[1];
  expect(readFileSync('collector/http/routes/health.ts', 'utf8')).toContain(`app.get('${route}'`);
});

test('compose files name only options and addresses that the collector reads', () => {
  expect(COMPOSE).toHaveLength(2);
  const services: Service[] = COMPOSE.map((file) => parse(readFileSync(file, 'utf8')).services.lastbyte);
  const commands = services.flatMap(({ command }) => (command === undefined ? [] : [command.trim().split(/\s+/)]));
  expect(commands).toHaveLength(1);
  for (const command of commands) {
    expect(unknownTo(command)).toEqual([]);
    const samples = command[command.indexOf('--samples') + 1] ?? '';
    expect(parseClickHouseAddress(samples)).toMatchObject({ database: 'lastbyte' });
  }
  const variables = Object.assign({}, ...services.map(({ environment }) => environment));
  expect(Object.keys(variables).sort()).toEqual(['LASTBYTE_CLICKHOUSE_PASSWORD', 'LASTBYTE_CONTROL', 'PGPASSWORD']);
  expect(parseControlAddress(variables.LASTBYTE_CONTROL)).toMatchObject({ host: 'postgres', ssl: false });
});
