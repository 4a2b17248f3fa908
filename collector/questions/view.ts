import { ASKED_DIMENSIONS } from '../../shared/vocabulary/dimensions.ts';
import { type AnswerOf, MethodSchema, object, ViewSchema } from '../analysis/answer-schema.ts';
import { toCacheTable } from '../analysis/tables/cache-table.ts';
import { toPagesView } from '../analysis/tables/pages-view.ts';
import { phasesView } from '../analysis/tables/phases-view.ts';
import { scenarioRatiosView } from '../analysis/tables/scenario-measures.ts';
import { scenariosView } from '../analysis/tables/scenarios-view.ts';
import type { ViewDocument, ViewName } from '../analysis/tables/table-document.ts';
import type { Language } from '../analysis/text/language.ts';
import { pickTexts } from '../analysis/text/texts.ts';
import { collectCache } from '../storage/passes/collect-cache.ts';
import type { StoreQuery } from '../storage/passes/collect-cells.ts';
import type { RangeReader } from '../storage/passes/range-reader.ts';
import { howToOpen, type OpenedRange, type ReadingSource } from '../storage/passes/reading-source.ts';
import { StoreError } from '../storage/store-error.ts';
import { EXACT, filters, RANGE, type ReadParameters } from './parameters.ts';
import { type Computed, describeMethod, question } from './question.ts';
import { readingsOfPages, readPages } from './view-pages.ts';
import { readScenarios } from './view-scenarios.ts';
import { foldingReadings, foldSmallGroups } from './visibility/fold-small-groups.ts';
import type { ViewerRule } from './visibility/visibility.ts';
import { createVisibility } from './visibility/visibility.ts';

const Answer = object({ method: MethodSchema, view: ViewSchema });
/** A view as tables: `GET /api/v1/report` in JSON. */
export type ReportDocument = AnswerOf<typeof Answer>;

/** Parameters of every view. */
export const VIEW_PARAMETERS = { range: RANGE, exact: EXACT, filters: filters(ASKED_DIMENSIONS) };
export interface ViewQuery extends ReadParameters<typeof VIEW_PARAMETERS> {
  /** Probes have a question of their own. */
  readonly view: Exclude<ViewName, 'probes'>;
}

export interface ViewPlan extends Pick<StoreQuery, 'range' | 'filters'>, Pick<ViewQuery, 'view'>, ViewerRule {
  /** Reads every value instead of sketches. */
  readonly exact?: boolean;
  /** Language of the tables; English by default. */
  readonly language?: Language;
}

/** One of the views as tables: times and counts from rollups, and from samples only what rollups do not hold. */
export const view = question({
  name: 'view',
  address: null,
  description: 'One of the views as tables.',
  parameters: VIEW_PARAMETERS,
  query: (given): ViewQuery => ({ ...given, view: 'scenarios' }),
  answer: Answer,
  takesLong: () => true,
  plan: async (query, { range, rule, language }): Promise<ViewPlan> => ({
    ...query,
    range,
    ...rule,
    language,
  }),
  asked: ({ range, filters }) => ({ range, filters }),
  async read(source, plan) {
    return plan.view === 'pages' ? readPagesView(source, plan) : readScenariosView(source, plan);
  },
});

type ViewAnswer = Computed<ReportDocument>;

interface Opened {
  readonly opened: OpenedRange;
  /** The range without the filters. */
  readonly all: RangeReader;
  readonly reader: RangeReader;
}

/** @param readings number of readings if it is read sample by sample */
async function openCoarse(
  source: ReadingSource,
  { range, filters, exact = false }: ViewPlan,
  readings: number,
): Promise<Opened> {
  const opened = await source.open(range, howToOpen({ filters, exact }), readings);
  const all = opened.reader();
  return { opened, all, reader: all.filtered(filters) };
}

async function openRows(
  source: ReadingSource,
  { range, filters }: ViewPlan,
  readings: number,
): Promise<Omit<Opened, 'opened'>> {
  const all = (await source.open(range, 'fine', readings)).reader();
  return { all, reader: all.filtered(filters) };
}

function secondsOf({ range }: ViewPlan): number {
  return (range.to - range.from) / 1000;
}

async function readScenariosView(source: ReadingSource, plan: ViewPlan): Promise<ViewAnswer> {
  const { view, filters, minGroupSize, language = 'en' } = plan;
  const texts = pickTexts(language);
  const visibility = createVisibility(source, plan, plan.range);
  const coarse = await openCoarse(source, plan, 3 + foldingReadings(minGroupSize) + readingsOfTypes(plan));
  const { opened, reader } = coarse;
  const { rows, missing } = await keptRows(coarse, source, plan);
  const pass = rows?.reader.pass() ?? null;
  const cache = rows === null || pass === null || view !== 'phases' ? null : await countTypes(rows, pass);
  const { groups, outside, folded } = await readScenarios(reader, pass, filters, visibility, coarse.all);
  return {
    ...(await describeMethod(opened, folded, reader.exact())),
    view: noted(drawn()),
  };

  async function countTypes({ all }: Omit<Opened, 'opened'>, ofRows: NonNullable<typeof pass>) {
    const { folding } = await foldSmallGroups(visibility, all, { by: ['type'], filters });
    const hidden = folding === null ? null : { ...folding, hidden: true };
    return collectCache(ofRows, ofRows.groups(['type'], filters, hidden));
  }

  function drawn(): ViewDocument {
    const durationSeconds = secondsOf(plan);
    if (view === 'scenarios') return scenariosView(groups, { durationSeconds, outside }, texts);
    if (view === 'ratios') return scenarioRatiosView(groups, undefined, texts);
    const named = groups.map(({ scenario, source: from, ...group }) => ({
      name: `${scenario}${texts.sourceSuffixes[from]}`,
      durationSeconds,
      failed: null,
      ...group,
    }));
    return phasesView(named, toCacheTable(cache?.() ?? new Map(), texts), outside, texts);
  }

  function noted(whole: ViewDocument): ViewDocument {
    if (missing === null) return whole;
    return { ...whole, notes: [...whole.notes, texts.notes.onlySamples(missing.code, missing.message)] };
  }
}

/** How often the samples are read to find the types that may not be shown. */
function readingsOfTypes({ view, minGroupSize }: ViewPlan): number {
  return view === 'phases' ? foldingReadings(minGroupSize) : 0;
}

/** The samples of a range, or why they can't be read. */
async function keptRows(
  coarse: Opened,
  source: ReadingSource,
  plan: ViewPlan,
): Promise<{ readonly rows: Omit<Opened, 'opened'> | null; readonly missing: StoreError | null }> {
  if (coarse.opened.fine) return { rows: coarse, missing: null };
  try {
    return { rows: await openRows(source, plan, 1 + readingsOfTypes(plan)), missing: null };
  } catch (error) {
    if (!(error instanceof StoreError) || !['samples_expired', 'too_many_samples'].includes(error.code)) throw error;
    return { rows: null, missing: error };
  }
}

async function readPagesView(source: ReadingSource, plan: ViewPlan): Promise<ViewAnswer> {
  const { filters, minGroupSize, language = 'en' } = plan;
  const coarse = await openCoarse(source, plan, readingsOfPages(minGroupSize, true));
  const { opened, reader } = coarse;
  const { reader: rows, all } = opened.fine
    ? coarse
    : await openRows(source, plan, readingsOfPages(minGroupSize, false));
  const { folded, ...facts } = await readPages(reader, rows, filters, createVisibility(source, plan, plan.range), all);
  return {
    ...(await describeMethod(opened, folded, reader.exact() && rows.exact())),
    view: toPagesView(facts, { durationSeconds: secondsOf(plan) }, pickTexts(language)),
  };
}
