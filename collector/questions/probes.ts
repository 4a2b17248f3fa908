import { Type } from 'typebox';
import { asksPrivateContent } from '../../shared/probes/private-content.ts';
import { parseHttpUrl } from '../../shared/redact/http-url.ts';
import type { StoredSample } from '../../shared/sample/sample.ts';
import type { Settings } from '../../shared/settings/settings-schema.ts';
import { FEW_BROWSERS, type Filters, filteredDimensions, passesFilters } from '../../shared/vocabulary/dimensions.ts';
import { type AnswerOf, Count, Counts, MethodSchema, object, orNull, ViewSchema } from '../analysis/answer-schema.ts';
import { JourneyResult } from '../analysis/probes/journey-results.ts';
import { type JourneyRules, journeyRules } from '../analysis/probes/journey-rules.ts';
import { availabilityStep, probeAvailability } from '../analysis/probes/probe-availability.ts';
import { probePaths } from '../analysis/probes/probe-paths.ts';
import { Availability, ProbePath, type SequenceRun, type UsersOfScenario } from '../analysis/probes/probe-results.ts';
import { journeysTable } from '../analysis/tables/journeys-table.ts';
import { pathId, probesView } from '../analysis/tables/probes-view.ts';
import type { Language } from '../analysis/text/language.ts';
import { pickTexts } from '../analysis/text/texts.ts';
import { groupId } from '../storage/passes/cell-groups.ts';
import type { StoreQuery } from '../storage/passes/collect-cells.ts';
import type { ReadingSource, StoredProbeRun } from '../storage/passes/reading-source.ts';
import { StoreError } from '../storage/store-error.ts';
import { readJourneys } from './journeys.ts';
import { probeSamples } from './probe-samples.ts';
import { describeMethod, question } from './question.ts';
import { type SummaryPlan, summary } from './summary.ts';
import { VIEW_PARAMETERS } from './view.ts';
import { foldingReadings } from './visibility/fold-small-groups.ts';
import { findHidden } from './visibility/hidden-cells.ts';
import type { ViewerRule } from './visibility/visibility.ts';
import { createVisibility, type Visibility } from './visibility/visibility.ts';

/** The newest runs of the range are read: reasons are sums, and this many show what is wrong. */
const MAX_TURNS = 20_000;
/** The client may have disconnected: checked once per this many runs. */
const CHECK_EVERY = 256;

const Answer = object({
  method: MethodSchema,
  view: ViewSchema,
  paths: Type.Array(ProbePath),
  availability: Availability,
  /** One entry per journey and site, from the runs that browsers reported; those that are down come first. */
  journeys: Type.Array(JourneyResult),
  /** Runs that browsers reported, and why others were skipped. `run` is null if it comes from too few browsers. */
  turns: object({ run: orNull(Count), skipped: Counts }),
  /** Names of the probes that no browser gets: they send cookies and look for a text. */
  off: Type.Array(Type.String()),
});
/** `GET /api/v1/probes`: the view of probes, and its data path by path. */
export type ProbesDocument = AnswerOf<typeof Answer>;

export interface ProbesPlan extends Pick<StoreQuery, 'range' | 'filters'>, JourneyRules, ViewerRule {
  /** Host of each scheduled probe sequence, by the probe's id. */
  readonly hosts: Readonly<Record<string, string>>;
  readonly off: readonly string[];
  /** Language of the tables. */
  readonly language: Language;
}

/** What probes measured, next to what users experienced. Reads only the probes' samples, one by one. */
export const probes = question({
  name: 'probes',
  address: '/api/v1/probes',
  description: 'Probes: availability and the time of each step, by site.',
  parameters: VIEW_PARAMETERS,
  query: (given) => given,
  answer: Answer,
  takesLong: () => true,
  async plan({ filters }, { range, rule, language, settings }): Promise<ProbesPlan> {
    const current = await settings();
    const schedule = current.probes?.schedule ?? [];
    return {
      range,
      filters,
      hosts: sequenceHosts(current),
      ...journeyRules(schedule),
      off: schedule.filter(asksPrivateContent).map(({ id, name }) => name ?? id),
      language,
      ...rule,
    };
  },
  asked: ({ range, filters }) => ({ range, filters }),
  async read(source, plan) {
    const { range, filters, hosts, thresholds, recorded, minGroupSize, language } = plan;
    const texts = pickTexts(language);
    const visibility = createVisibility(source, plan, range);
    const opened = await source.open(range, 'fine', 1 + foldingReadings(minGroupSize));
    const users = await usersOf(source, plan);
    const reader = opened.reader();
    const { ofPaths, ofSteps, folded } = await probeSamples(visibility, reader, filters);
    const shown = new Set(ofPaths.map(pathOf));
    const all = readTurns(source, plan);
    const asked = all.filter((turn) => turn.asked);
    const turns = sequenceRuns(asked, hosts).filter(({ host }) => passesFilters(filters, 'host', host));
    // How long a step took does not depend on which of its requests are asked for.
    const { host: _host, template: _template, source: _source, journeyStep: _step, ...ofRuns } = filters;
    const journeys = readJourneys(source, { range, filters: ofRuns, thresholds, recorded }, visibility);
    const listed = Object.keys(ofRuns).length === Object.keys(filters).length ? journeys : [];
    const options = { thresholds, trendStepMs: availabilityStep(range), journeys };
    const view = probesView(ofSteps, { ...options, users: await usersOnSteps(source, plan, ofSteps) }, texts);
    return {
      ...(await describeMethod(opened, folded)),
      view: listed.length === 0 ? view : { ...view, tables: [...view.tables, journeysTable(listed, texts)] },
      // Runs on paths that a viewer may not see are left out too.
      paths: probePaths(
        ofPaths,
        users,
        minGroupSize <= 1
          ? turns
          : turns.filter(({ target, host, site }) => shown.has(JSON.stringify([target, host, site]))),
        texts,
      ),
      availability: probeAvailability(ofPaths, range),
      journeys: listed,
      turns: countTurns(visibility, all, filters, source.checkpoint),
      off: [...plan.off],
    };
  },
});

/** Host of each probe sequence by the probe's id, if the settings still contain it. */
function sequenceHosts({ probes }: Settings): Record<string, string> {
  return Object.fromEntries(
    (probes?.schedule ?? []).flatMap(({ id, url }) => {
      const host = parseHttpUrl(url ?? '')?.hostname;
      return host === undefined ? [] : [[id, host]];
    }),
  );
}

/** What pages measured for the same hosts, for comparison. */
async function usersOf(source: ReadingSource, plan: ProbesPlan): Promise<UsersOfScenario[]> {
  const by = ['target', 'site', 'host', 'scenario'] as const;
  const { cells } = await summary.read(source, ofPages(plan, { by, filters: plan.filters }));
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

function ofPages(
  { range, minGroupSize, freshSince = null }: ProbesPlan,
  { by, filters }: Pick<StoreQuery, 'by' | 'filters'>,
): SummaryPlan {
  const rule = { minGroupSize, freshSince, nameBrowsers: false };
  return { range, by, filters: { ...filters, source: ['page'] }, exact: false, include: [], above: [], ...rule };
}

/** How long users' own requests take on the paths that probes request; a reason where that is not known. */
async function usersOnSteps(source: ReadingSource, plan: ProbesPlan, steps: readonly StoredSample[]) {
  const { journey: _journey, journeyStep: _step, ...others } = plan.filters;
  const host = [...new Set(steps.map((step) => step.host))];
  const template = [...new Set(steps.map((step) => step.template))];
  if (steps.length === 0) return { medians: new Map<string, number>(), unknown: '' };
  try {
    const by = ['target', 'site', 'host', 'template'] as const;
    const { cells } = await summary.read(source, ofPages(plan, { by, filters: { ...others, host, template } }));
    const medians = new Map(
      cells.flatMap((cell) => (cell.phases.ttlb === null ? [] : [[pathId(cell), cell.phases.ttlb.median]])),
    );
    return { medians, unknown: plan.minGroupSize <= 1 ? 'no requests' : 'none, or too few browsers' };
  } catch (error) {
    // Viewers may have too many paths to be checked for small groups.
    if (!(error instanceof StoreError) || error.code !== 'too_many_groups') throw error;
    return { medians: new Map<string, number>(), unknown: 'too many paths to check' };
  }
}

interface ReadTurn extends StoredProbeRun {
  /** Whether it passes the filters. */
  readonly asked: boolean;
}

/** Includes runs that the filters leave out: what is shown is checked together with them. */
function readTurns(source: ReadingSource, { range, filters }: ProbesPlan): ReadTurn[] {
  const turns: ReadTurn[] = [];
  for (const turn of source.fleet.probeRuns(range, MAX_TURNS)) {
    if (turns.length % CHECK_EVERY === 0) source.checkpoint();
    turns.push({
      ...turn,
      asked: passesFilters(filters, 'target', turn.target) && passesFilters(filters, 'site', turn.site),
    });
  }
  return turns;
}

/** A run names its probe; its host comes from the settings, as far as they still have it. */
function sequenceRuns(turns: readonly StoredProbeRun[], hosts: ProbesPlan['hosts']): SequenceRun[] {
  return turns.flatMap(({ probe, target, site, scenarios }) => {
    const host = Object.hasOwn(hosts, probe) ? hosts[probe] : undefined;
    return host === undefined || scenarios.length === 0 ? [] : [{ target, site, host, scenarios }];
  });
}

const RUN = 'run';

/** How many runs took place, and why others did not; leaves out what concerns too few browsers. */
function countTurns(visibility: Visibility, turns: readonly ReadTurn[], filters: Filters, checkpoint: () => void) {
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
    if (told > 0) counts.set(reason, mayBeTold(visibility, own, filters, checkpoint) ? told : null);
  }
  const { [RUN]: run = 0, ...skipped } = Object.fromEntries(counts);
  return {
    run,
    skipped: Object.fromEntries(Object.entries(skipped).flatMap(([reason, n]) => (n ? [[reason, n]] : []))),
  };
}

/** Runs with the same reason are checked like samples: by the filtered dimensions. */
function mayBeTold(
  { minGroupSize, counts }: Visibility,
  turns: readonly ReadTurn[],
  filters: Filters,
  checkpoint: () => void,
): boolean {
  if (minGroupSize <= 1) return true;
  const named = filteredDimensions(filters);
  const filtered = (['site', 'target'] as const).filter((name) => named.includes(name));
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
  const hidden = findHidden(sized, together, minGroupSize, checkpoint);
  const asked = [...all.keys()].filter((index) => all[index]?.asked);
  return together(asked) >= minGroupSize && !asked.some((index) => hidden[index]);
}

function pathOf({ target, host, origin }: StoredSample): string {
  return JSON.stringify([target, host, origin.site]);
}
