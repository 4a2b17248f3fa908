import { availabilityStep, probeAvailability } from '../../../../shared/probe/probe-availability.ts';
import { probePaths } from '../../../../shared/probe/probe-paths.ts';
import type { Availability, LadderTurn, ProbePath, UsersOfScenario } from '../../../../shared/probe/probe-results.ts';
import type { StoredSample } from '../../../../shared/sample/sample.ts';
import type { FoldedCells } from '../../../../shared/summary/summary-document.ts';
import { type ProbesOptions, probesView } from '../../../../shared/views/probes-view.ts';
import type { ViewDocument } from '../../../../shared/views/table-document.ts';
import type { PlainQuery } from '../plain-answer.ts';
import { createRangeReader } from '../range-reader.ts';
import { type ComputeMethod, type ComputeSource, methodOf } from './compute-source.ts';
import { probeSamples } from './probe-samples.ts';

export interface ProbesQuestion extends Pick<PlainQuery, 'range' | 'filters'> {
  readonly users: readonly UsersOfScenario[];
  readonly turns: readonly LadderTurn[];
  readonly thresholds: ProbesOptions['thresholds'];
  readonly foldBelow: number;
}

export interface ProbesAnswer extends ComputeMethod {
  readonly view: ViewDocument;
  readonly paths: readonly ProbePath[];
  readonly availability: Availability;
}

/** What probes found, beside what users had. Reads the probes' samples alone, one by one. */
export function computeProbes(source: ComputeSource, question: ProbesQuestion): ProbesAnswer {
  const { range, filters, users, turns, thresholds, foldBelow } = question;
  const opened = source.open(range, 'fine');
  const reader = createRangeReader(opened, source.catalog, true);
  const samples = probeSamples(source, reader, filters);
  const kept = withoutSmallPaths(samples, foldBelow);
  const shown = new Set(kept.samples.map(pathOf));
  return {
    ...methodOf(opened, kept.folded),
    view: probesView(kept.samples, { thresholds, trendStepMs: availabilityStep(range) }),
    // Of what a viewer may not see, not even the turns are told.
    paths: probePaths(
      kept.samples,
      users,
      foldBelow <= 1
        ? turns
        : turns.filter(({ target, host, site }) => shown.has(JSON.stringify([target, host, site]))),
    ),
    availability: probeAvailability(kept.samples, range),
  };
}

function pathOf({ target, host, origin }: StoredSample): string {
  return JSON.stringify([target, host, origin.site]);
}

function withoutSmallPaths(
  samples: readonly StoredSample[],
  below: number,
): { samples: readonly StoredSample[]; folded: FoldedCells | null } {
  if (below <= 1) return { samples, folded: null };
  const browsers = new Map<string, Set<string>>();
  for (const sample of samples) {
    const id = pathOf(sample);
    browsers.set(id, (browsers.get(id) ?? new Set()).add(sample.origin.client));
  }
  const small = new Set([...browsers].flatMap(([id, { size }]) => (size < below ? [id] : [])));
  if (small.size === 0) return { samples, folded: null };
  const kept = samples.filter((sample) => !small.has(pathOf(sample)));
  const folded = { below, cells: small.size, samples: samples.length - kept.length, shownTogether: false };
  return { samples: kept, folded };
}
