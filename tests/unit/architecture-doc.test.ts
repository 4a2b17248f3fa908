import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const DOCS = new URL('docs/', ROOT);
const PAGE = readFileSync(new URL('architecture.md', DOCS), 'utf8');

interface Step {
  readonly number: number;
  readonly file: string;
  readonly name: string;
  /** The first of its table: something else than a call leads there. */
  readonly first: boolean;
}

/** The numbered rows below a heading. */
function stepsBelow(heading: string): Step[] {
  const section = PAGE.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
  return section.split('\n\n').flatMap((table) =>
    [...table.matchAll(/^\| (\d+) \| \[`[\w.-]+`\]\(([^)]+)\) `(\w+)` \|/gm)].map(
      ([, number, file = '', name = ''], row) => ({
        number: Number(number),
        file: fileURLToPath(new URL(file, DOCS)),
        name,
        first: row === 0,
      }),
    ),
  );
}

function sourceOf({ file }: Pick<Step, 'file'>): string {
  return readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');
}

/** Whether there is a function, class, method or listener of that name; a call or a type is none. */
function defines(source: string, name: string): boolean {
  const forms = [
    `(?:function\\*?|const|class) ${name}\\b`,
    // A method, whose parameters may take several lines.
    `^ +(?:async )?${name}(?:<[^>]*>)?\\([^;]*?\\{$`,
    `^ +${name}: [^;\\n]*=>`,
    `\\b${name}\\.addListener\\(`,
  ];
  return forms.some((form) => new RegExp(form, 'm').test(source));
}

function importedBy(step: Step): Set<string> {
  const imports = sourceOf(step).matchAll(/\bfrom '(\.[^']+)'/g);
  return new Set(Array.from(imports, ([, path = '']) => new URL(path, `file://${step.file}`).pathname));
}

/** Steps that no import connects with an earlier one, and what does. */
const PASSED_IN: Readonly<Record<string, string>> = {
  'indexed-db-queue.ts add': 'made by composition.ts as a SampleQueue',
  'sqlite-samples.ts ingest': 'opened by open-store.ts as a SampleStore',
  'writer-jobs.ts ingest': 'called by store-thread.ts',
  'reader-jobs.ts rollUpPending': 'called by store-thread.ts',
  'overview-row.ts overviewRows': 'called by the overview, like the step before',
  'sqlite-samples.ts read': 'opened by open-store.ts as a SampleStore',
};

/** Whether some earlier step's file imports this one's, or the other way round. */
function isReached(step: Step, earlier: readonly Step[]): boolean {
  const own = importedBy(step);
  return earlier.some((other) => other.file === step.file || own.has(other.file) || importedBy(other).has(step.file));
}

// The most steps and files that a reader has to follow.
test.each([
  ['The path of a sample', 60, 50],
  ['The path of a question', 15, 14],
])('%s has at most %i steps in %i files, each of which defines its function', (heading, most, mostFiles) => {
  const steps = stepsBelow(heading);
  expect(steps.length).toBeGreaterThan(10);
  expect(steps.length).toBeLessThanOrEqual(most);
  expect(steps.map(({ number }) => number)).toEqual(steps.map((_, index) => index + 1));
  expect(new Set(steps.map(({ file }) => file)).size).toBeLessThanOrEqual(mostFiles);
  expect(steps.filter((step) => !defines(sourceOf(step), step.name))).toEqual([]);
});

test('imports lead from step to step', () => {
  const unreached = ['The path of a sample', 'The path of a question'].flatMap((heading) => {
    const steps = stepsBelow(heading);
    return steps.filter((step, index) => !step.first && !isReached(step, steps.slice(0, index)));
  });
  expect(unreached.map(({ file, name }) => `${basename(file)} ${name}`)).toEqual(Object.keys(PASSED_IN));
});

test('every file and every list that CONTRIBUTING.md names is there', () => {
  const page = readFileSync(new URL('CONTRIBUTING.md', ROOT), 'utf8');
  const table = page.split('## Where to change what')[1]?.split('\n## ')[0] ?? '';
  const paths = Array.from(table.matchAll(/`([\w-]+\/[\w/.-]+)`/g), ([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(50);
  expect(paths.filter((path) => !existsSync(new URL(path, ROOT)))).toEqual([]);
  const lists = [...table.matchAll(/`(\w+)` in `([\w-]+\/[\w/.-]+\.ts)`/g)];
  expect(lists.length).toBeGreaterThan(10);
  const gone = lists.filter(([, name = '', path = '']) => !readFileSync(new URL(path, ROOT), 'utf8').includes(name));
  expect(gone.map(([text]) => text)).toEqual([]);
});

test('a call, a type or a word in a comment is no step', () => {
  expect(defines('  take(list);\n  if (open) {', 'take')).toBe(false);
  expect(defines('interface Intake {\n  take(group: Group): void;\n}', 'take')).toBe(false);
  expect(defines('function take(group: Group) {}', 'take')).toBe(true);
  expect(defines('class Intake {\n  async take(\n    group: Group,\n  ): Promise<void> {\n', 'take')).toBe(true);
  expect(defines('  return {\n    take: (group) => store(group),', 'take')).toBe(true);
});
