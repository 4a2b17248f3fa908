import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Browser tests that wait longest for their browser, the longest first: started last they would run on alone. */
const LONGEST_WAITS = ['dashboard', 'probe-schedule', 'collector-faults', 'worker-stop'];

/**
 * Spreads the browser tests, which mostly wait, among those that mostly compute, so that both cores always have work.
 * What computes comes in runs of one project, since its files share a worker process as long as they follow each other.
 */
export default class RunOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byPath = [...files].sort((a, b) => (a.moduleId < b.moduleId ? -1 : 1));
    const waiting = byPath.filter(isOfBrowser).sort((a, b) => rank(a) - rank(b));
    const computing = byPath
      .filter((file) => !isOfBrowser(file))
      .sort((a, b) => projectOf(a).localeCompare(projectOf(b)));
    if (waiting.length === 0) return computing;
    const perRun = Math.ceil(computing.length / waiting.length);
    return waiting.flatMap((file, index) => [file, ...computing.slice(index * perRun, (index + 1) * perRun)]);
  }
}

const projectOf = ({ project }: TestSpecification) => project.name;
const isOfBrowser = (file: TestSpecification) => ['browser', 'long'].includes(projectOf(file));

function rank({ moduleId }: TestSpecification): number {
  const found = LONGEST_WAITS.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return found === -1 ? LONGEST_WAITS.length : found;
}
