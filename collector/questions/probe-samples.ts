import type { StoredSample } from '../../shared/sample/sample.ts';
import { type AnyDimension, type Filters, passesFilters } from '../../shared/vocabulary/dimensions.ts';
import { isProbe, SOURCES } from '../../shared/vocabulary/vocabulary.ts';
import type { FoldedCells } from '../analysis/summary/summary-document.ts';
import { dimensionValue } from '../reductions/sample-dimension.ts';
import { groupId } from '../storage/passes/cell-groups.ts';
import { collectProbeSamples } from '../storage/passes/collect-probe-samples.ts';
import type { RangeReader } from '../storage/passes/range-reader.ts';
import { foldEach, NOTHING_FOLDED } from './visibility/fold-small-groups.ts';
import type { Visibility } from './visibility/visibility.ts';

/** The columns of probe samples that the view of probes and the paths use. */
const READ = {
  texts: [
    'target',
    'host',
    'scheme',
    'template',
    'source',
    'connection',
    'handshake',
    'excluded',
    'error',
    'journey',
    'type',
  ],
  numbers: ['step', 'run', 'status', 'transferSize', 'blocked', 'dns', 'ttlb'],
} as const;
const PROBE_SOURCES = SOURCES.filter(isProbe);
/** What is shown separately: a path, and in the view of probes each of its steps. */
const PATH: readonly AnyDimension[] = ['target', 'host', 'site'];
const STEP: readonly AnyDimension[] = [...PATH, 'source', 'journey', 'journeyStep', 'scheme', 'template'];

export interface ProbeSamples {
  /** Samples of paths that may be shown. A path may be shown even if one of its steps may not. */
  readonly ofPaths: readonly StoredSample[];
  readonly ofSteps: readonly StoredSample[];
  readonly folded: FoldedCells | null;
}

/**
 * The samples of probes, which are few among those of users; the rest of their chunks is released. They hold only the
 * columns in `READ`; reading another one throws.
 */
export async function probeSamples(
  visibility: Visibility,
  reader: RangeReader,
  filters: Filters,
): Promise<ProbeSamples> {
  const { minGroupSize } = visibility;
  // Old data may have other sources, which are not checked below.
  const isShown = minGroupSize > 1 ? (source: string) => PROBE_SOURCES.includes(source) : isProbe;
  const pass = reader.pass();
  const all = collectProbeSamples(pass, pass.groups([], filters), isShown, READ);
  await pass.run();
  const source = PROBE_SOURCES.filter((one) => passesFilters(filters, 'source', one));
  const checked = { ...filters, source };
  const [paths = NOTHING_FOLDED, steps = NOTHING_FOLDED] = await foldEach(visibility, reader, [
    { by: PATH, filters: checked },
    { by: STEP, filters: checked },
  ]);
  const shown = (by: readonly AnyDimension[], { folding }: typeof paths) =>
    folding === null
      ? all
      : all.filter((sample) => !folding.ids.has(groupId(by.map((dimension) => dimensionValue(sample, dimension)))));
  const folded =
    paths.folding === null && steps.folding === null ? null : { below: minGroupSize, shownTogether: false };
  return { ofPaths: shown(PATH, paths), ofSteps: shown(STEP, steps), folded };
}
