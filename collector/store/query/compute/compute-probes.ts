import { availabilityStep, probeAvailability } from '../../../../shared/probe/probe-availability.ts';
import { probePaths } from '../../../../shared/probe/probe-paths.ts';
import type { Availability, LadderTurn, ProbePath, UsersOfScenario } from '../../../../shared/probe/probe-results.ts';
import type { StoredSample } from '../../../../shared/sample/sample.ts';
import type { ProbesDocument } from '../../../../shared/summary/answers.ts';
import { FEW_BROWSERS } from '../../../../shared/summary/dimensions.ts';
import { type ProbesOptions, probesView } from '../../../../shared/views/probes-view.ts';
import type { ViewDocument } from '../../../../shared/views/table-document.ts';
import type { StoredTurn } from '../../store.ts';
import { foldingReadings } from '../fold-small-groups.ts';
import type { PlainQuery } from '../plain-answer.ts';
import { createRangeReader } from '../range-reader.ts';
import { type FoldRule, smallGroups } from '../small-groups.ts';
import { createViewer, type Viewer } from '../viewer.ts';
import { type ComputeMethod, type ComputeSource, methodOf } from './compute-source.ts';
import { computeSummary } from './compute-summary.ts';
import { probeSamples, stepOf, withoutSmallSamples } from './probe-samples.ts';

/** Turns of the range that are read at most, the newest: reasons are sums, and enough of them say what is wrong. */
const MAX_TURNS = 20_000;
/** The client may have gone: looked at once per so many turns. */
const CHECK_EVERY = 256;

export interface ProbesQuestion extends Pick<PlainQuery, 'range' | 'filters'>, FoldRule {
  /** Host of each scheduled ladder, by the probe's id. */
  readonly hosts: Readonly<Record<string, string>>;
  readonly thresholds: ProbesOptions['thresholds'];
}

export interface ProbesAnswer extends ComputeMethod {
  readonly view: ViewDocument;
  readonly paths: readonly ProbePath[];
  readonly availability: Availability;
  readonly turns: ProbesDocument['turns'];
}

/** What probes found, beside what users had. Reads the probes' samples alone, one by one. */
export function computeProbes(source: ComputeSource, question: ProbesQuestion): ProbesAnswer {
  const { range, filters, hosts, thresholds, foldBelow } = question;
  const viewer = createViewer(source, question, range);
  const opened = source.open(range, 'fine', 1 + foldingReadings(foldBelow));
  const users = usersOf(source, question);
  const reader = createRangeReader(opened, source.catalog, true);
  const kept = withoutSmallSamples(viewer, probeSamples(viewer, reader, filters), pathOf);
  // A path may be shown where one of its steps may not.
  const steps = withoutSmallSamples(viewer, { samples: kept.samples, folded: null }, stepOf);
  const shown = new Set(kept.samples.map(pathOf));
  const { told, others } = readTurns(source, question);
  const turns = ladderTurns(told, hosts).filter(({ host }) => passes(filters.host, host));
  return {
    ...methodOf(opened, kept.folded ?? steps.folded),
    view: probesView(steps.samples, { thresholds, trendStepMs: availabilityStep(range) }),
    // Of what a viewer may not see, not even the turns are told.
    paths: probePaths(
      kept.samples,
      users,
      foldBelow <= 1
        ? turns
        : turns.filter(({ target, host, site }) => shown.has(JSON.stringify([target, host, site]))),
    ),
    availability: probeAvailability(kept.samples, range),
    turns: countTurns(viewer, told, others),
  };
}

/** What pages had of the same hosts, for comparison. */
function usersOf(source: ComputeSource, { range, filters, foldBelow, freshSince }: ProbesQuestion): UsersOfScenario[] {
  const { cells } = computeSummary(source, {
    range,
    by: ['target', 'site', 'host', 'scenario'],
    filters: { ...filters, source: ['page'] },
    exact: false,
    include: [],
    thresholds: [],
    foldBelow,
    ...(freshSince === undefined ? {} : { freshSince }),
    nameBrowsers: false,
  });
  return cells.flatMap(({ target, site, host, scenario, connections, phases }) => {
    if (!target || !host || host === FEW_BROWSERS) return [];
    return [
      {
        target,
        site: site ?? null,
        host,
        scenario: scenario ?? null,
        fresh: connections.new ?? 0,
        reused: connections.reused ?? 0,
        ttlb: phases.ttlb,
      },
    ];
  });
}

/** Those that pass the filters, and the others. */
function readTurns(source: ComputeSource, { range, filters }: ProbesQuestion) {
  const told: StoredTurn[] = [];
  const others: StoredTurn[] = [];
  let read = 0;
  for (const turn of source.fleet.turns(range, MAX_TURNS)) {
    if (read++ % CHECK_EVERY === 0) source.checkpoint();
    const own = passes(filters.target, turn.target) && passes(filters.site, turn.site) ? told : others;
    own.push(turn);
  }
  return { told, others };
}

function passes(wanted: readonly string[] | undefined, value: string): boolean {
  return wanted === undefined || wanted.includes(value);
}

/** A turn names its probe; where that went, the settings say, as far as they still hold it. */
function ladderTurns(turns: readonly StoredTurn[], hosts: ProbesQuestion['hosts']): LadderTurn[] {
  return turns.flatMap(({ probe, target, site, scenarios }) => {
    const host = Object.hasOwn(hosts, probe) ? hosts[probe] : undefined;
    return host === undefined || scenarios.length === 0 ? [] : [{ target, site, host, scenarios }];
  });
}

const RUN = 'run';

/** Without what too few browsers are behind, or behind what the filters leave out of it. */
function countTurns(
  { foldBelow, counts }: Viewer,
  told: readonly StoredTurn[],
  others: readonly StoredTurn[],
): ProbesDocument['turns'] {
  const of = (turns: readonly StoredTurn[]) => {
    const found = new Map<string, { count: number; clients: Set<string> }>();
    for (const { skipped, client } of turns) {
      const reason = skipped ?? RUN;
      const one = found.get(reason) ?? { count: 0, clients: new Set() };
      found.set(reason, one);
      one.count++;
      if (foldBelow > 1 && counts(client)) one.clients.add(client);
    }
    return found;
  };
  const left = of(others);
  const shown = new Map(
    [...of(told)].flatMap(([reason, one]) => {
      const parts = [one, left.get(reason) ?? []].flat();
      const sized = parts.map(({ count, clients }) => ({ browsers: clients.size, samples: count }));
      return smallGroups(sized, foldBelow).includes(0) ? [] : [[reason, one.count] as const];
    }),
  );
  const isRunHidden = !shown.has(RUN) && told.some(({ skipped }) => skipped === null);
  const run = isRunHidden ? null : (shown.get(RUN) ?? 0);
  shown.delete(RUN);
  return { run, skipped: Object.fromEntries(shown) };
}

function pathOf({ target, host, origin }: StoredSample): string {
  return JSON.stringify([target, host, origin.site]);
}
