import { cacheTableOf } from '../analysis/tables/cache-table.ts';
import { pagesViewOf } from '../analysis/tables/pages-view.ts';
import { phasesView } from '../analysis/tables/phases-view.ts';
import { type ProbesOptions, probesView } from '../analysis/tables/probes-view.ts';
import { scenarioRatiosView } from '../analysis/tables/scenario-measures.ts';
import { scenariosView } from '../analysis/tables/scenarios-view.ts';
import type { ViewDocument, ViewName } from '../analysis/tables/table-document.ts';
import type { Language } from '../analysis/text/language.ts';
import { textsOf } from '../analysis/text/texts.ts';
import type { StoreQuery } from '../storage/passes/collect-cells.ts';
import { createQueryGroups } from '../storage/passes/query-groups.ts';
import { createRangeReader, type RangeReader } from '../storage/passes/range-reader.ts';
import { howToOpen, type OpenedRange, type ReadingSource } from '../storage/passes/reading-source.ts';
import { StoreError } from '../storage/store-error.ts';
import { type ComputeMethod, methodOf } from './compute-method.ts';
import { countCache } from './count-cache.ts';
import { probeSamples } from './probe-samples.ts';
import { readingsOfPages, readPages } from './view-pages.ts';
import { readScenarios } from './view-scenarios.ts';
import { foldingReadings, foldSmallGroups } from './viewer/fold-small-groups.ts';
import type { FoldRule } from './viewer/small-groups.ts';
import { createViewer } from './viewer/viewer.ts';

export interface ViewQuestion extends Pick<StoreQuery, 'range' | 'filters'>, FoldRule {
  readonly view: ViewName;
  /** Read every value instead of sketches. */
  readonly exact?: boolean;
  /** Of the view of probes. */
  readonly thresholds?: ProbesOptions['thresholds'];
  /** Of the tables; English by default. */
  readonly language?: Language;
}

type ViewAnswer = ComputeMethod & { readonly view: ViewDocument };

/** One of the views as tables: times and counts from rollups, and from the samples only what no rollup knows. */
export function computeView(source: ReadingSource, question: ViewQuestion): ViewAnswer {
  switch (question.view) {
    case 'pages':
      return computePagesView(source, question);
    case 'probes':
      return computeProbesView(source, question);
    default:
      return computeScenarios(source, question);
  }
}

interface Opened {
  readonly opened: OpenedRange;
  /** The range without the filters. */
  readonly all: RangeReader;
  readonly reader: RangeReader;
}

/** @param readings if it is read sample by sample */
function openCoarse(source: ReadingSource, { range, filters, exact = false }: ViewQuestion, readings: number): Opened {
  const opened = source.open(range, howToOpen({ filters, exact }), readings);
  const all = createRangeReader(opened, source.catalog, opened.exact);
  return { opened, all, reader: all.filtered(filters) };
}

function openRows(source: ReadingSource, { range, filters }: ViewQuestion, readings: number): Omit<Opened, 'opened'> {
  const all = createRangeReader(source.open(range, 'fine', readings), source.catalog, true);
  return { all, reader: all.filtered(filters) };
}

function secondsOf({ range }: ViewQuestion): number {
  return (range.to - range.from) / 1000;
}

function computeScenarios(source: ReadingSource, question: ViewQuestion): ViewAnswer {
  const { view, filters, foldBelow, language = 'en' } = question;
  const texts = textsOf(language);
  const viewer = createViewer(source, question, question.range);
  const coarse = openCoarse(source, question, 3 + foldingReadings(foldBelow) + readingsOfTypes(question));
  const { opened, reader } = coarse;
  const { rows, missing } = keptRows(coarse, source, question);
  const pass = rows?.reader.pass() ?? null;
  const cache = rows === null || pass === null || view !== 'phases' ? null : countTypes(rows, pass);
  const { groups, outside, folded } = readScenarios(source, reader, pass, filters, viewer, coarse.all);
  return {
    ...methodOf(opened, folded, reader.exact()),
    view: noted(drawn()),
  };

  function countTypes({ all }: Omit<Opened, 'opened'>, ofRows: NonNullable<typeof pass>) {
    const { folding } = foldSmallGroups(viewer, all, { by: ['type'], filters });
    const hidden = folding === null ? null : { ...folding, hidden: true };
    return countCache(ofRows, createQueryGroups(['type'], filters, source.catalog, hidden));
  }

  function drawn(): ViewDocument {
    const durationSeconds = secondsOf(question);
    if (view === 'scenarios') return scenariosView(groups, { durationSeconds, outside }, texts);
    if (view === 'ratios') return scenarioRatiosView(groups, undefined, texts);
    const named = groups.map(({ scenario, source: from, ...group }) => ({
      name: `${scenario}${texts.sourceSuffixes[from]}`,
      durationSeconds,
      failed: null,
      ...group,
    }));
    return phasesView(named, cacheTableOf(cache?.() ?? new Map(), texts), outside, texts);
  }

  function noted(whole: ViewDocument): ViewDocument {
    if (missing === null) return whole;
    return { ...whole, notes: [...whole.notes, texts.notes.onlySamples(missing.code, missing.message)] };
  }
}

/** How often the samples are read to find the types that may not be shown. */
function readingsOfTypes({ view, foldBelow }: ViewQuestion): number {
  return view === 'phases' ? foldingReadings(foldBelow) : 0;
}

/** The samples of a range; where they are no longer kept, why. */
function keptRows(
  coarse: Opened,
  source: ReadingSource,
  question: ViewQuestion,
): { readonly rows: Omit<Opened, 'opened'> | null; readonly missing: StoreError | null } {
  if (coarse.opened.fine) return { rows: coarse, missing: null };
  try {
    return { rows: openRows(source, question, 1 + readingsOfTypes(question)), missing: null };
  } catch (error) {
    if (!(error instanceof StoreError) || !['samples_expired', 'too_many_samples'].includes(error.code)) throw error;
    return { rows: null, missing: error };
  }
}

function computePagesView(source: ReadingSource, question: ViewQuestion): ViewAnswer {
  const { filters, foldBelow, language = 'en' } = question;
  const coarse = openCoarse(source, question, readingsOfPages(foldBelow, true));
  const { opened, reader } = coarse;
  const { reader: rows, all } = opened.fine ? coarse : openRows(source, question, readingsOfPages(foldBelow, false));
  const { folded, ...facts } = readPages(
    source,
    reader,
    rows,
    filters,
    createViewer(source, question, question.range),
    all,
  );
  return {
    ...methodOf(opened, folded, reader.exact() && rows.exact()),
    view: pagesViewOf(facts, { durationSeconds: secondsOf(question) }, textsOf(language)),
  };
}

function computeProbesView(source: ReadingSource, question: ViewQuestion): ViewAnswer {
  const { range, filters, thresholds = {}, language = 'en' } = question;
  const viewer = createViewer(source, question, range);
  const opened = source.open(range, 'fine', 1 + foldingReadings(question.foldBelow));
  const { ofSteps, folded } = probeSamples(viewer, createRangeReader(opened, source.catalog, true), filters);
  return { ...methodOf(opened, folded), view: probesView(ofSteps, { thresholds }, textsOf(language)) };
}
