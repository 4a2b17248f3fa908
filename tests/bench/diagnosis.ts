import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../collector/storage/open-store.ts';
import { seededRandom } from '../../shared/statistics/seeded-random.ts';
import { endOf, type FleetSource, fillFleet, toSource } from '../fleets/fill-fleet.ts';
import { plantFirstWorld } from '../fleets/first-world-causes.ts';
import { numbersOfClients } from '../fleets/generate-fleet.ts';
import { CAUSE_NAMES, type CauseName } from '../fleets/plan.ts';
import type { MeasuredCause } from '../fleets/truth.ts';
import * as fresh from '../fleets/world/causes-fresh.ts';
import * as heldOut from '../fleets/world/causes-held-out.ts';
import * as build from '../fleets/world/causes-to-build-with.ts';
import { numbersOfWorld, toWorldSource } from '../fleets/world/generate-world.ts';
import { type MeasuredFleet, plantWorld, quietWorld } from '../fleets/world/planted-world.ts';
import type { QuietWorld, WorldCause } from '../fleets/world/planting.ts';
import type { Bench } from './bench-result.ts';
import { type FleetGrade, type GradedFinding, gradeFindings } from './grade-findings.ts';
import { productFindings } from './product-claims.ts';

/** A Monday. */
const FIRST_MS = Date.UTC(2026, 8, 7);
const WEEK_MS = 7 * 24 * 3_600_000;
/** A seed whose fleet has no room for a cause is passed over. */
const SEEDS_TRIED = 4;

const PAIRS_OF_FIRST: readonly (readonly CauseName[])[] = [
  ['slow_endpoint', 'slow_dns'],
  ['keep_alive_edge', 'far_site'],
  ['release_worse', 'large_downloads'],
];

const LIMITS = {
  named: 0.85,
  namedOrPartly: 0.95,
  falseClaims: 0.01,
  rightSubject: 0.98,
  numberAsClaimed: 0.98,
  rightDay: 0.98,
  rightNumber: 0.8,
  silentWhenQuiet: 1,
} as const;

/** Shares of 1; null where there was nothing to grade. */
interface Figures {
  readonly fleets: number;
  readonly quiet: number;
  readonly causes: number;
  readonly findings: number;
  /** Of the causes: one finding has their place, a quantity of theirs, and their day. */
  readonly named: number | null;
  readonly namedOrPartly: number | null;
  /** Of the findings: those that fit nothing planted, and those that repeat what a better one says. */
  readonly falseClaims: number | null;
  readonly duplicates: number | null;
  /** Of the findings that fit a cause. */
  readonly rightSubject: number | null;
  readonly rightDay: number | null;
  /** The cost is within 30 % of the true one; its interval leaves room for the true one. */
  readonly rightNumber: number | null;
  readonly numberAsClaimed: number | null;
  readonly silentWhenQuiet: number | null;
}

const PARTS = ['first', 'build', 'heldOut', 'fresh'] as const;
type Part = (typeof PARTS)[number];

const HALVES: Readonly<Record<string, readonly Part[]>> = {
  build: ['first', 'build'],
  'held-out': ['heldOut'],
  both: ['first', 'build', 'heldOut'],
  fresh: ['fresh'],
  all: PARTS,
};

interface Case {
  readonly part: Part;
  readonly name: string;
  make(number: number): Prepared;
}

interface Prepared {
  readonly source: FleetSource;
  readonly causes: readonly MeasuredCause[];
  readonly numberOf: (client: string) => number | undefined;
}

interface Graded {
  readonly part: Part;
  readonly grade: FleetGrade;
}

/**
 * Whether the product finds what was planted in generated fleets of two worlds, and nothing else. In the environment: FLEETS=N
 * seeds of each cause, CAUSE=TEXT only causes with that in their name, HALF=build, held-out, both of them (as without it), fresh
 * or all, SHOW=1 tells of held-out and fresh fleets what was planted and found. Rules are written with the first world and the
 * build half alone.
 */
export const diagnosisBench: Bench = {
  name: 'diagnosis',
  async run(progress) {
    const fleets = Number(process.env.FLEETS || 1);
    const [half, only, show] = [process.env.HALF || 'both', process.env.CAUSE || '', process.env.SHOW === '1'];
    if (!(Number.isSafeInteger(fleets) && fleets > 0)) throw new Error('FLEETS is the number of fleets of each cause.');
    const parts = HALVES[half];
    if (parts === undefined) throw new Error(`HALF is one of ${Object.keys(HALVES).join(', ')}.`);
    const cases = parts.flatMap(casesOf).filter(({ name }) => name.includes(only));
    if (cases.length === 0) throw new Error(`No cause is called ${only}.`);
    const graded: Graded[] = [];
    for (const [index, { part, name, make }] of cases.entries()) {
      for (let number = 1; number <= fleets; number++) {
        const { source, causes, numberOf } = make(number);
        const findings = await findingsAbout(source, numberOf);
        const grade = gradeFindings(findings, causes);
        graded.push({ part, grade });
        const isOpen = part === 'first' || part === 'build' || show;
        progress(`${part}, ${isOpen ? name : `case ${index + 1}`}, fleet ${number}: ${inWords(grade)}`);
        if (!isOpen) continue;
        for (const cause of causes) progress(`    planted ${truthInWords(cause)}`);
        findings.forEach((finding, i) => {
          progress(`    ${verdictInWords(grade.findings[i])} ${findingInWords(finding)}`);
        });
      }
    }
    const played = PARTS.filter((part) => graded.some((one) => one.part === part));
    const figures = Object.fromEntries(
      played.map((part) => [part, figuresOf(graded.filter((one) => one.part === part).map(({ grade }) => grade))]),
    );
    return { figures, misses: Object.entries(figures).flatMap(([part, one]) => missesOf(part, one)) };
  },
};

function casesOf(part: Part): Case[] {
  if (part === 'first') {
    return [...CAUSE_NAMES.map((name) => [name]), ...PAIRS_OF_FIRST].map((names) => ({
      part,
      name: names.join(' + '),
      make: (number) => firstWorld(names, number),
    }));
  }
  if (part === 'build') {
    return worldCases(part, build.CAUSES_TO_BUILD_WITH, build.PAIRS_TO_BUILD_WITH, build.QUIET_TO_BUILD_WITH);
  }
  if (part === 'heldOut') {
    return worldCases(part, heldOut.CAUSES_HELD_OUT, heldOut.PAIRS_HELD_OUT, heldOut.QUIET_HELD_OUT);
  }
  return worldCases(part, fresh.CAUSES_FRESH, [], fresh.QUIET_FRESH);
}

function worldCases(
  part: 'build' | 'heldOut' | 'fresh',
  causes: readonly WorldCause[],
  pairs: readonly (readonly number[])[],
  quiet: readonly QuietWorld[],
): Case[] {
  const offset = { build: 1000, heldOut: 2000, fresh: 3000 }[part];
  const planted = [
    ...causes.map((cause) => [cause]),
    ...pairs.map((pair) => pair.map((at) => causes[at] as WorldCause)),
  ];
  return [
    ...planted.map(
      (wanted, index): Case => ({
        part,
        name: wanted.map(({ name }) => name).join(' + '),
        make: (number) => prepared(withRoom(offset + index + 10_000 * number, (seed) => plantWorld(seed, wanted))),
      }),
    ),
    ...quiet.map(
      (one, index): Case => ({
        part,
        name: one.name,
        make: (number) => prepared(withRoom(offset + 500 + index + 10_000 * number, (seed) => quietWorld(seed, one))),
      }),
    ),
  ];
}

function withRoom(seed: number, make: (seed: number) => MeasuredFleet): MeasuredFleet {
  for (let tried = 1; ; tried++) {
    try {
      return make(seed + 100_000 * (tried - 1));
    } catch (error) {
      if (tried === SEEDS_TRIED) throw error;
    }
  }
}

function prepared({ plan, batches, causes }: MeasuredFleet): Prepared {
  const source = { ...toWorldSource(plan), batches: () => batches.map((wire) => ({ wire })) };
  return { source, causes, numberOf: numbersOfWorld(plan) };
}

/** Each number is another shape: 20,000 to 80,000 samples of 40 to 160 browsers with three to six apps, three to five weeks. */
function firstWorld(names: readonly CauseName[], number: number): Prepared {
  const random = seededRandom(number * 7919);
  const between = (low: number, high: number) => Math.round(low + (high - low) * random());
  const shape = {
    name: names.join(' + '),
    seed: number,
    from: FIRST_MS + between(0, 3) * WEEK_MS,
    days: 7 * between(3, 5),
    samples: between(20_000, 80_000),
    browsers: between(40, 160),
    apps: between(3, 6),
    variety: 0.3,
  };
  const { plan, causes } = plantFirstWorld(shape, names);
  return { source: toSource(plan), causes, numberOf: numbersOfClients(plan) };
}

async function findingsAbout(source: FleetSource, numberOf: Prepared['numberOf']): Promise<GradedFinding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lastbyte-bench-'));
  const store = await openStore({ folder, as: 'command', clock: () => endOf(source) });
  try {
    await fillFleet(store, source, () => {});
    return await productFindings(store, { from: source.from, to: endOf(source) }, numberOf);
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function figuresOf(grades: readonly FleetGrade[]): Figures {
  const quiet = grades.filter(({ causes }) => causes.length === 0);
  const causes = grades.flatMap((grade) => grade.causes);
  const findings = grades.flatMap((grade) => grade.findings);
  const right = (name: 'rightSubject' | 'rightDay' | 'rightNumber' | 'numberAsClaimed') =>
    share(
      findings.filter((finding) => finding[name] !== null),
      (finding) => finding[name] === true,
    );
  return {
    fleets: grades.length,
    quiet: quiet.length,
    causes: causes.length,
    findings: findings.length,
    named: share(causes, ({ match }) => match === 'named'),
    namedOrPartly: share(causes, ({ match }) => match !== 'no'),
    falseClaims: share(findings, ({ verdict }) => verdict === 'false'),
    duplicates: share(findings, ({ verdict }) => verdict === 'duplicate'),
    rightSubject: right('rightSubject'),
    rightDay: right('rightDay'),
    rightNumber: right('rightNumber'),
    numberAsClaimed: right('numberAsClaimed'),
    silentWhenQuiet: share(quiet, (grade) => grade.findings.length === 0),
  };
}

function share<T>(items: readonly T[], holds: (item: T) => boolean): number | null {
  return items.length === 0 ? null : Math.round((1000 * items.filter(holds).length) / items.length) / 1000;
}

function missesOf(part: string, figures: Figures): string[] {
  return (Object.keys(LIMITS) as (keyof typeof LIMITS)[]).flatMap((name) => {
    const [figure, limit] = [figures[name], LIMITS[name]];
    if (figure === null || (name === 'falseClaims' ? figure <= limit : figure >= limit)) return [];
    return [`${part}: ${name} is ${figure}, not ${limit}`];
  });
}

function inWords({ causes, findings }: FleetGrade): string {
  const wrong = findings.filter(({ verdict }) => verdict === 'false').length;
  const matches =
    causes.length === 0 ? 'quiet' : causes.map(({ match }) => (match === 'no' ? 'missed' : match)).join(', ');
  return `${matches}; ${wrong} of ${findings.length} findings false`;
}

function truthInWords({ name, places, quantities, day, direction, costShare }: MeasuredCause): string {
  const cost = costShare === null ? 'no cost' : `${(100 * costShare).toFixed(1)} % of waiting`;
  return `${name}: ${JSON.stringify(places)}, ${quantities.join(' ')}, day ${day ?? 'always'}, ${direction}, ${cost}`;
}

function verdictInWords(grade: FleetGrade['findings'][number] | undefined): string {
  if (grade === undefined || grade.verdict === 'false') return 'FALSE';
  const wrong = (['rightSubject', 'rightNumber', 'rightDay'] as const).filter((name) => grade[name] === false);
  return [grade.verdict, ...wrong.map((name) => name.replace('right', 'wrong '))].join(', ');
}

function findingInWords({ kind, shape, quantity, place, since, savedShare, savedInterval }: GradedFinding): string {
  const where = Object.entries(place).filter(([, value]) => value !== null && value !== undefined);
  const said = [kind, shape, quantity, JSON.stringify(Object.fromEntries(where))].filter((one) => one !== null);
  const saves = savedShare === null ? '' : `, saves ${(100 * savedShare).toFixed(1)} %`;
  const within = savedInterval === null ? '' : ` (${savedInterval.map((one) => (100 * one).toFixed(1)).join(' to ')})`;
  return `${said.join(' ')}${since === null ? '' : `, since day ${since}`}${saves}${within}`;
}
