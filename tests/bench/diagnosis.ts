import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../collector/storage/open-store.ts';
import { seededRandom } from '../../shared/statistics/seeded-random.ts';
import { basePlan } from '../fleets/base-plan.ts';
import { plant } from '../fleets/causes.ts';
import { endOf, fillFleet } from '../fleets/fill-fleet.ts';
import { numbersOfClients } from '../fleets/generate-fleet.ts';
import { CAUSE_NAMES, type CauseName, type PlantedFleet } from '../fleets/plan.ts';
import type { Bench } from './bench-result.ts';
import { type Grade, gradeClaims } from './grade-claims.ts';
import { type Claim, productClaims } from './product-claims.ts';

const FLEETS = 10;
const TOP = 3;
/** A Monday. */
const FIRST_MS = Date.UTC(2026, 8, 7);
const WEEK_MS = 7 * 24 * 3_600_000;

const CASES: readonly (readonly CauseName[])[] = [
  ...CAUSE_NAMES.map((cause) => [cause]),
  ['slow_endpoint', 'slow_dns'],
  ['keep_alive_edge', 'far_site'],
  ['release_worse', 'large_downloads'],
];

const LIMITS = { named: 0.9, topThree: 0.98, falseClaims: 0.02, changeDayError: 1, nothingStandsOut: 0.95 };

interface Figures {
  /** Fleets with a planted cause, and those with decoys only. */
  readonly cases: number;
  readonly decoys: number;
  /** Share of the cases in which the first claim names a planted cause: what it is, and every place of it. */
  readonly named: number;
  /** In which the first three name all that were planted. */
  readonly topThree: number;
  /** In which a cause is named in part, such as the host and not the path, and none in full. */
  readonly partly: number;
  /** Share of all claims that fit nothing that was planted. */
  readonly falseClaims: number;
  /** Median, days; null if no day of a change was named. */
  readonly changeDayError: number | null;
  /** Share of the decoys about which nothing is claimed. */
  readonly nothingStandsOut: number;
}

interface Graded {
  readonly causes: readonly CauseName[];
  readonly grade: Grade;
}

/**
 * Whether the product names what was planted in generated fleets of different size, shape and noise. FLEETS=N in the environment
 * for fewer or more of each cause, CAUSE=NAME for one only, alone and beside
 * others.
 */
export const diagnosisBench: Bench = {
  name: 'diagnosis',
  async run(progress) {
    const fleets = Number(process.env.FLEETS || FLEETS);
    const only = process.env.CAUSE;
    if (!(Number.isSafeInteger(fleets) && fleets > 0)) throw new Error('FLEETS is the number of fleets of each cause.');
    if (only && !(CAUSE_NAMES as readonly string[]).includes(only)) {
      throw new Error(`CAUSE is one of ${CAUSE_NAMES.join(', ')}.`);
    }
    const graded: Graded[] = [];
    for (const causes of CASES.filter((names) => !only || (names as readonly string[]).includes(only))) {
      for (let number = 1; number <= fleets; number++) {
        const planted = plantedFleet(causes, number);
        const claims = await claimsAbout(planted);
        const grade = gradeClaims(claims, planted.truth);
        graded.push({ causes, grade });
        progress(`${causes.join(' + ')}, fleet ${number}: ${inWords(grade)}; planted ${JSON.stringify(planted.truth)}`);
        for (const claim of claims) progress(`    ${said(claim)}`);
      }
    }
    const figures = figuresOf(graded);
    return { figures, misses: missesOf(figures) };
  },
};

/** Each number is another shape: 20,000 to 80,000 samples of 40 to 160 browsers with three to six apps, three to five weeks. */
function plantedFleet(causes: readonly CauseName[], number: number): PlantedFleet {
  const random = seededRandom(number * 7919);
  const between = (low: number, high: number) => Math.round(low + (high - low) * random());
  const plan = basePlan({
    name: causes.join(' + '),
    seed: number,
    from: FIRST_MS + between(0, 3) * WEEK_MS,
    days: 7 * between(3, 5),
    samples: between(20_000, 80_000),
    browsers: between(40, 160),
    apps: between(3, 6),
    variety: 0.3,
  });
  return plant(plan, causes);
}

async function claimsAbout({ plan }: PlantedFleet): Promise<Claim[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lastbyte-bench-'));
  const store = await openStore({ folder, as: 'command', clock: () => endOf(plan) });
  try {
    await fillFleet(store, plan, () => {});
    return await productClaims(store, { from: plan.from, to: endOf(plan) }, numbersOfClients(plan));
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function figuresOf(graded: readonly Graded[]): Figures {
  const cases = graded.filter(({ grade }) => grade.places.length > 0);
  const decoys = graded.filter(({ grade }) => grade.places.length === 0);
  const days = graded.flatMap(({ grade }) => grade.daysOff).sort((a, b) => a - b);
  const claims = graded.reduce((sum, { grade }) => sum + grade.claims, 0);
  const wrong = graded.reduce((sum, { grade }) => sum + grade.falseClaims, 0);
  return {
    cases: cases.length,
    decoys: decoys.length,
    named: share(cases, ({ places }) => places.includes(0)),
    topThree: share(cases, ({ places }) => places.every((place) => place !== null && place < TOP)),
    partly: share(cases, ({ places, partly }) => partly > 0 && places.every((place) => place === null)),
    falseClaims: claims === 0 ? 0 : wrong / claims,
    changeDayError: days[Math.floor((days.length - 1) / 2)] ?? null,
    nothingStandsOut: share(decoys, (grade) => grade.claims === 0),
  };
}

/** NaN is no JSON: a run of one cause may have no decoy. */
function share(graded: readonly Graded[], holds: (grade: Grade) => boolean): number {
  return graded.length === 0 ? 0 : graded.filter(({ grade }) => holds(grade)).length / graded.length;
}

function missesOf(figures: Figures): string[] {
  const { cases, decoys, named, topThree, falseClaims, changeDayError, nothingStandsOut } = figures;
  const misses: string[] = [];
  if (cases > 0 && named < LIMITS.named) misses.push(`named in ${named} of the cases, not ${LIMITS.named}`);
  if (cases > 0 && topThree < LIMITS.topThree)
    misses.push(`all in the top three in ${topThree}, not ${LIMITS.topThree}`);
  if (falseClaims > LIMITS.falseClaims)
    misses.push(`${falseClaims} of the claims are false, not ${LIMITS.falseClaims}`);
  if (cases > 0 && (changeDayError === null || changeDayError > LIMITS.changeDayError)) {
    misses.push(`the day of a change off by ${changeDayError ?? 'any number of'} days, not ${LIMITS.changeDayError}`);
  }
  if (decoys > 0 && nothingStandsOut < LIMITS.nothingStandsOut) {
    misses.push(`nothing stands out in ${nothingStandsOut} of the decoys, not ${LIMITS.nothingStandsOut}`);
  }
  return misses;
}

function inWords({ places, partly, claims, falseClaims }: Grade): string {
  const found = places.map((place) => (place === null ? 'not named' : `named at ${place + 1}`));
  return [
    ...(found.length === 0 ? ['decoy'] : found),
    ...(partly > 0 ? ['partly'] : []),
    `${falseClaims} of ${claims} false`,
  ].join(', ');
}

function said({ about, ...place }: Claim): string {
  return [about, ...Object.entries(place).map(([name, value]) => `${name} ${value}`)].join(', ');
}
