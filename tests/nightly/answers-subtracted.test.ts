import { expect, test } from 'vitest';
import { seededRandom } from '../../shared/statistics/seeded-random.ts';
import { FEW_BROWSERS, type Filters, filteredDimensions, toExclusionName } from '../../shared/vocabulary/dimensions.ts';
import { browserId, fill } from '../collector/fill-store.ts';
import { questionsNotAsked } from '../collector/questions-asked.ts';
import { type TestApp, testApp } from '../collector/test-app.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';

const BELOW = 5;
const FLEETS = 3;
const COHORTS = 9;
const FILTERS = 12;
const LONG = { timeout: 900_000 };

const VALUES = {
  site: ['Berlin', 'Lyon', 'Porto'],
  browser: ['chromium', 'firefox'],
  host: ['a.example.com', 'b.example.com', 'c.example.com'],
  target: ['erp', 'crm'],
} as const;
type Dimension = keyof typeof VALUES;
const DIMENSIONS = Object.keys(VALUES) as Dimension[];

type Part = (document: Readonly<Record<string, unknown>>) => unknown;

/** Each, what it groups by, and the part of its answer that is grouped so. All samples are of one kind and one page. */
const QUESTIONS: readonly (readonly [question: string, by: readonly (Dimension | 'tls')[], part?: Part])[] = [
  ['summary?by=type', []],
  ['summary?by=site', ['site']],
  ['summary?by=site,browser', ['site', 'browser']],
  ['summary?by=site&top=1', ['site']],
  ['histogram?by=host&top=2', ['host']],
  ['summary?by=host,target&include=overheads', ['host', 'target']],
  ['summary?by=type&include=gapCuts', ['host'], ({ cells }) => gapCutsOf(cells).map(hostsOfCut)],
  ['summary?by=type&include=gapCuts', [], ({ cells }) => gapCutsOf(cells).map(({ hours }) => hours)],
  ['histogram?by=host', ['host']],
  ['timeline?step=1d&by=target', ['target']],
  ['compare?by=host', ['host']],
  ['findings?', [], ({ requests }) => ({ requests })],
  ['what-if?', [], ({ requests }) => ({ requests })],
  ['pages?', ['host']],
  ['site-hosts?', ['site', 'host']],
  ['evidence?by=site', ['site']],
  ['tls?', ['tls'], ({ rows }) => rows],
  ['tls?', [], ({ samples }) => ({ samples })],
  ['report?format=json&view=pages', ['host']],
  ['report?format=json&view=scenarios', []],
  ['report?format=json&view=phases', []],
  ['report?format=json&view=ratios', []],
  ['report?format=json&view=summary&by=site', ['site']],
  ['report?format=json&view=monthly', ['host'], ({ whole, wholeBefore, scenarios, apps, sites, ...others }) => others],
  ['report?format=json&view=monthly', ['target'], ({ apps }) => ({ apps })],
  ['report?format=json&view=monthly', ['site'], ({ sites }) => ({ sites })],
  ['report?format=json&view=monthly', [], ({ whole, wholeBefore, scenarios }) => [whole, wholeBefore, scenarios]],
  ['samples?limit=1', ['target', 'site', 'host', 'browser']],
  ['export?format=ndjson', ['target', 'site', 'host', 'browser']],
];

interface GapCuts {
  readonly hosts: readonly { readonly name: string }[];
  readonly hours: unknown;
}

function gapCutsOf(cells: unknown): readonly GapCuts[] {
  return (cells as { gapCuts: GapCuts }[]).map(({ gapCuts }) => gapCuts);
}

/** If none of its hosts may be named, their one row is the whole group's: it is grouped by nothing. */
function hostsOfCut({ hosts }: GapCuts): GapCuts['hosts'] {
  return hosts.every(({ name }) => name === FEW_BROWSERS) ? [] : hosts;
}

/** Questions that are not asked here, and why. */
const ASKED_ELSEWHERE: Readonly<Record<string, string>> = {
  changes: 'counts no samples of its groups, which are those of timeline; changes-route.test.ts',
  'page-view': 'for admins only; samples-route.test.ts',
  probes: 'counts runs, not samples of users; subtraction.test.ts',
  fleet: 'counts browsers, not samples; fleet-route.test.ts',
  'view=probes': 'the same document as probes',
  'view=compare': 'the same document as compare',
};

test('every question is asked', () => {
  const asked = QUESTIONS.map(([question]) => question);
  expect(questionsNotAsked(asked)).toEqual(Object.keys(ASKED_ELSEWHERE));
});

/** Numbers that count samples. */
const COUNTS = new Set(['samples', 'n', 'hits', 'requests', 'matching']);

/** How it came about, and parts of the evidence that are grouped by something else than asked. */
const ELSEWHERE = new Set(['method', 'fleet', 'cache', 'askForTiming']);

interface Cohort extends Record<Dimension, string> {
  readonly tlsVersion: string;
  readonly browsers: number;
  /** Of all its browsers together: more than all cohorts before have, so that a sum tells which cohorts it is of. */
  readonly samples: number;
}

function cohortsOf(random: () => number): Cohort[] {
  const one = <T>(values: readonly T[], skew: number): T => values[Math.floor(values.length * random() ** skew)] as T;
  let before = 0;
  return Array.from({ length: COHORTS }, (_, place) => {
    // Two are of many browsers, so that the fleet is folded.
    const browsers = place < 2 ? 10 : 1 + Math.floor(8 * random());
    const samples = browsers * Math.floor(before / browsers + 1);
    before += samples;
    return {
      browsers,
      samples,
      site: one(VALUES.site, 1.5),
      browser: one(VALUES.browser, 1.5),
      host: one(VALUES.host, 1.5),
      target: one(VALUES.target, 1.5),
      tlsVersion: one(['TLSv1.3', 'TLSv1.2'], 1.5),
    };
  });
}

async function fleetOf(cohorts: readonly Cohort[]): Promise<TestApp> {
  const app = await testApp();
  let next = 0;
  for (const { browsers, samples, site, browser, host, target, tlsVersion } of cohorts) {
    for (let i = 0; i < browsers; i++) {
      const rows = Array.from({ length: samples / browsers }, (_, row) => ({
        ...PLAIN_SAMPLE,
        at: NOW - 1000 - row,
        tls: { version: tlsVersion, cipher: null, keyExchange: null, issuer: null },
        host,
        target,
      }));
      await fill(app.store, rows, { client: browserId(next++), site, browser: browser as 'chromium' | 'firefox' });
    }
  }
  await app.store.maintenance.rollUp();
  return app;
}

/** The cohorts whose samples a number is the sum of, a bit for each; null where it is of no cohorts. */
function cohortsIn(number: number, cohorts: readonly Cohort[]): number | null {
  let [left, set] = [number, 0];
  for (let place = cohorts.length - 1; place >= 0; place--) {
    const { samples } = cohorts[place] as Cohort;
    if (samples > left) continue;
    left -= samples;
    set |= 1 << place;
  }
  return left === 0 && set !== 0 ? set : null;
}

function browsersIn(set: number, cohorts: readonly Cohort[]): number {
  return cohorts.reduce((sum, { browsers }, place) => sum + ((set >> place) & 1 ? browsers : 0), 0);
}

function isFew(set: number, cohorts: readonly Cohort[]): boolean {
  const browsers = browsersIn(set, cohorts);
  return browsers > 0 && browsers < BELOW;
}

function countsIn(value: unknown): number[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (ELSEWHERE.has(name)) return [];
    return typeof inner === 'number' ? (COUNTS.has(name) ? [inner] : []) : countsIn(inner);
  });
}

interface Answer {
  readonly text: string;
  readonly names: ReadonlySet<string>;
  /** Of the cohorts behind each number. */
  readonly sets: ReadonlySet<number>;
}

async function ask(
  app: TestApp,
  question: string,
  filters: string,
  as: 'read' | 'admin',
  part: Part = (document) => document,
): Promise<number[] | null> {
  const { statusCode, body } = await app.send({ url: `/api/v1/${question}&${filters}`, as });
  if (statusCode === 400) return null;
  expect([question, filters, statusCode]).toEqual([question, filters, 200]);
  if (!question.startsWith('export')) return countsIn(part(JSON.parse(body)));
  const rows = body.split('\n').filter((line) => line !== '');
  return rows.length === 0 ? [] : [rows.length];
}

function randomFilters(random: () => number): Filters {
  return Object.fromEntries(
    DIMENSIONS.filter(() => random() < 0.35).map((name) => {
      const values = VALUES[name].filter(() => random() < 0.5);
      return [random() < 0.4 ? toExclusionName(name) : name, values.length === 0 ? [VALUES[name][0]] : values];
    }),
  );
}

/** Whether one names all dimensions that the other names: others are not held against each other (privacy.md). */
function isNested({ names: one }: Answer, { names: other }: Answer): boolean {
  return [...one].every((name) => other.has(name)) || [...other].every((name) => one.has(name));
}

test('no answers of any question, with filters and without, differ by a few browsers', LONG, async () => {
  const count = { numbers: 0, compared: 0, forAdmins: 0 };
  for (let fleet = 0; fleet < FLEETS; fleet++) {
    const random = seededRandom(4000 + fleet);
    const cohorts = cohortsOf(random);
    const app = await fleetOf(cohorts);
    const filters = [{}, ...Array.from({ length: FILTERS }, () => randomFilters(random))];
    const answers: Answer[] = [];
    for (const filter of filters) {
      const text = Object.entries(filter)
        .flatMap(([name, values]) => (values ?? []).map((value) => `${name}=${value}`))
        .join('&');
      for (const [question, by, part] of QUESTIONS) {
        const numbers = await ask(app, question, text, 'read', part);
        if (numbers === null) continue;
        const sets = new Set(numbers.flatMap((number) => cohortsIn(number, cohorts) ?? []));
        answers.push({ text: `${question}&${text}`, names: new Set([...by, ...filteredDimensions(filter)]), sets });
        count.numbers += sets.size;
        const all = (await ask(app, question, text, 'admin', part)) ?? [];
        count.forAdmins += all.filter((number) => isFew(cohortsIn(number, cohorts) ?? 0, cohorts)).length;
      }
    }
    const told: string[] = [];
    for (const one of answers) {
      for (const whole of one.sets) {
        if (isFew(whole, cohorts)) told.push(`${one.text} shows ${browsersIn(whole, cohorts)}`);
        for (const other of answers) {
          if (!isNested(one, other)) continue;
          const within = [...other.sets].filter((part) => part !== whole && (part & ~whole) === 0);
          const together = within.reduce((sum, part) => sum | part, 0);
          for (const part of new Set([...within, together])) {
            count.compared++;
            if (isFew(whole & ~part, cohorts)) {
              told.push(`${one.text} less ${other.text} is of ${browsersIn(whole & ~part, cohorts)}`);
            }
          }
        }
      }
    }
    expect([fleet, told.slice(0, 20)]).toEqual([fleet, []]);
  }
  // Not because nothing is shown, nor because there is nothing to tell.
  expect(count.numbers).toBeGreaterThan(125 * FLEETS);
  expect(count.compared).toBeGreaterThan(1250 * FLEETS);
  expect(count.forAdmins).toBeGreaterThan(50 * FLEETS);
});
