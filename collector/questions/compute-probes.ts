import type { StoredSample } from '../../shared/sample/sample.ts';
import { FEW_BROWSERS, type Filters } from '../../shared/vocabulary/dimensions.ts';
import type { ProbesDocument } from '../analysis/documents/answers.ts';
import { availabilityStep, probeAvailability } from '../analysis/probes/probe-availability.ts';
import { probePaths } from '../analysis/probes/probe-paths.ts';
import type { Availability, LadderTurn, ProbePath, UsersOfScenario } from '../analysis/probes/probe-results.ts';
import { type ProbesOptions, probesView } from '../analysis/tables/probes-view.ts';
import type { ViewDocument } from '../analysis/tables/table-document.ts';
import type { Language } from '../analysis/text/language.ts';
import { textsOf } from '../analysis/text/texts.ts';
import { groupId } from '../storage/passes/cell-groups.ts';
import type { StoreQuery } from '../storage/passes/collect-cells.ts';
import { createRangeReader } from '../storage/passes/range-reader.ts';
import type { ReadingSource } from '../storage/passes/reading-source.ts';
import type { StoredProbeRun } from '../storage/store.ts';
import { type ComputeMethod, methodOf } from './compute-method.ts';
import { computeSummary } from './compute-summary.ts';
import { probeSamples } from './probe-samples.ts';
import { foldingReadings } from './viewer/fold-small-groups.ts';
import { judgeCells } from './viewer/judge-cells.ts';
import type { FoldRule } from './viewer/small-groups.ts';
import { createViewer, type Viewer } from './viewer/viewer.ts';

/** Turns of the range that are read at most, the newest: reasons are sums, and enough of them say what is wrong. */
const MAX_TURNS = 20_000;
/** The client may have gone: looked at once per so many turns. */
const CHECK_EVERY = 256;

export interface ProbesQuestion extends Pick<StoreQuery, 'range' | 'filters'>, FoldRule {
  /** Host of each scheduled ladder, by the probe's id. */
  readonly hosts: Readonly<Record<string, string>>;
  readonly thresholds: ProbesOptions['thresholds'];
  /** Of the tables; English by default. */
  readonly language?: Language;
}

export interface ProbesAnswer extends ComputeMethod {
  readonly view: ViewDocument;
  readonly paths: readonly ProbePath[];
  readonly availability: Availability;
  readonly turns: ProbesDocument['turns'];
}

/** What probes found, beside what users had. Reads the probes' samples alone, one by one. */
export function computeProbes(source: ReadingSource, question: ProbesQuestion): ProbesAnswer {
  const { range, filters, hosts, thresholds, foldBelow, language = 'en' } = question;
  const viewer = createViewer(source, question, range);
  const opened = source.open(range, 'fine', 1 + foldingReadings(foldBelow));
  const users = usersOf(source, question);
  const reader = createRangeReader(opened, source.catalog, true);
  const { ofPaths, ofSteps, folded } = probeSamples(viewer, reader, filters);
  const shown = new Set(ofPaths.map(pathOf));
  const all = readTurns(source, question);
  const asked = all.filter((turn) => turn.asked);
  const turns = ladderTurns(asked, hosts).filter(({ host }) => passes(filters.host, host));
  return {
    ...methodOf(opened, folded),
    view: probesView(ofSteps, { thresholds, trendStepMs: availabilityStep(range) }, textsOf(language)),
    // Of what a viewer may not see, not even the turns are told.
    paths: probePaths(
      ofPaths,
      users,
      foldBelow <= 1
        ? turns
        : turns.filter(({ target, host, site }) => shown.has(JSON.stringify([target, host, site]))),
    ),
    availability: probeAvailability(ofPaths, range),
    turns: countTurns(viewer, all, filters, source.checkpoint),
  };
}

/** What pages had of the same hosts, for comparison. */
function usersOf(source: ReadingSource, { range, filters, foldBelow, freshSince }: ProbesQuestion): UsersOfScenario[] {
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

interface ReadTurn extends StoredProbeRun {
  /** Whether it passes the filters. */
  readonly asked: boolean;
}

/** With those that the filters leave out: what is told is judged beside them. */
function readTurns(source: ReadingSource, { range, filters }: ProbesQuestion): ReadTurn[] {
  const turns: ReadTurn[] = [];
  for (const turn of source.fleet.probeRuns(range, MAX_TURNS)) {
    if (turns.length % CHECK_EVERY === 0) source.checkpoint();
    turns.push({ ...turn, asked: passes(filters.target, turn.target) && passes(filters.site, turn.site) });
  }
  return turns;
}

function passes(wanted: readonly string[] | undefined, value: string): boolean {
  return wanted === undefined || wanted.includes(value);
}

/** A turn names its probe; where that went, the settings say, as far as they still hold it. */
function ladderTurns(turns: readonly StoredProbeRun[], hosts: ProbesQuestion['hosts']): LadderTurn[] {
  return turns.flatMap(({ probe, target, site, scenarios }) => {
    const host = Object.hasOwn(hosts, probe) ? hosts[probe] : undefined;
    return host === undefined || scenarios.length === 0 ? [] : [{ target, site, host, scenarios }];
  });
}

const RUN = 'run';

/** How many turns ran, and why others did not; nothing of what tells of too few browsers. */
function countTurns(viewer: Viewer, turns: readonly ReadTurn[], filters: Filters, checkpoint: () => void) {
  const byReason = new Map<string, ReadTurn[]>();
  for (const turn of turns) {
    const reason = turn.skipped ?? RUN;
    const own = byReason.get(reason);
    if (own === undefined) byReason.set(reason, [turn]);
    else own.push(turn);
  }
  const counts = new Map<string, number | null>();
  for (const [reason, own] of byReason) {
    const told = own.filter(({ asked }) => asked).length;
    if (told > 0) counts.set(reason, mayBeTold(viewer, own, filters, checkpoint) ? told : null);
  }
  const { [RUN]: run = 0, ...skipped } = Object.fromEntries(counts);
  return {
    run,
    skipped: Object.fromEntries(Object.entries(skipped).flatMap(([reason, n]) => (n ? [[reason, n]] : []))),
  };
}

/** Turns of one reason are judged as samples are: by what is filtered by. */
function mayBeTold(
  { foldBelow, counts }: Viewer,
  turns: readonly ReadTurn[],
  filters: Filters,
  checkpoint: () => void,
): boolean {
  if (foldBelow <= 1) return true;
  const filtered = (['site', 'target'] as const).filter((name) => filters[name] !== undefined);
  const cells = new Map<string, { words: string[]; asked: boolean; samples: number; clients: Set<string> }>();
  for (const turn of turns) {
    const words = filtered.map((name) => turn[name]);
    const id = groupId(words);
    const cell = cells.get(id) ?? { words, asked: turn.asked, samples: 0, clients: new Set() };
    cells.set(id, cell);
    cell.samples++;
    if (counts(turn.client)) cell.clients.add(turn.client);
  }
  const all = [...cells.values()];
  const together = (indexes: Iterable<number>) => {
    const met = new Set<string>();
    for (const index of indexes) for (const client of all[index]?.clients ?? []) met.add(client);
    return met.size;
  };
  const sized = all.map(({ words, samples, clients }) => ({ words, samples, browsers: clients.size }));
  const hidden = judgeCells(sized, together, foldBelow, checkpoint);
  const asked = [...all.keys()].filter((index) => all[index]?.asked);
  return together(asked) >= foldBelow && !asked.some((index) => hidden[index]);
}

function pathOf({ target, host, origin }: StoredSample): string {
  return JSON.stringify([target, host, origin.site]);
}
