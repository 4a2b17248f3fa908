import type { StoredSample } from '../../../../shared/sample/sample.ts';
import type { FoldedCells } from '../../../../shared/summary/summary-document.ts';
import { cacheTableOf } from '../../../../shared/views/cache-table.ts';
import { pagesViewOf } from '../../../../shared/views/pages-view.ts';
import { phasesView } from '../../../../shared/views/phases-view.ts';
import { type ProbesOptions, probesView } from '../../../../shared/views/probes-view.ts';
import { scenarioRatiosView } from '../../../../shared/views/scenario-measures.ts';
import { scenariosView } from '../../../../shared/views/scenarios-view.ts';
import type { ViewDocument, ViewName } from '../../../../shared/views/table-document.ts';
import { StoreError } from '../../store-error.ts';
import { foldingReadings } from '../fold-small-groups.ts';
import type { PlainQuery } from '../plain-answer.ts';
import { createQueryGroups } from '../query-groups.ts';
import { createRangeReader, type RangeReader } from '../range-reader.ts';
import { type ComputeMethod, type ComputeSource, howToOpen, methodOf, type OpenedRange } from './compute-source.ts';
import { countCache } from './count-cache.ts';
import { probeSamples } from './probe-samples.ts';
import { readingsOfPages, readPages } from './view-pages.ts';
import { readScenarios } from './view-scenarios.ts';

export interface ViewQuestion extends Pick<PlainQuery, 'range' | 'filters'> {
  readonly view: ViewName;
  readonly foldBelow: number;
  /** Read every value instead of sketches. */
  readonly exact?: boolean;
  /** Of the view of probes. */
  readonly thresholds?: ProbesOptions['thresholds'];
}

type ViewAnswer = ComputeMethod & { readonly view: ViewDocument };

/** One of the views as tables: times and counts from rollups, and from the samples only what no rollup knows. */
export function computeView(source: ComputeSource, question: ViewQuestion): ViewAnswer {
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
  readonly reader: RangeReader;
}

/** @param readings if it is read sample by sample */
function openCoarse(source: ComputeSource, { range, filters, exact = false }: ViewQuestion, readings: number): Opened {
  const opened = source.open(range, howToOpen({ filters, exact }), readings);
  return { opened, reader: createRangeReader(opened, source.catalog, opened.exact).filtered(filters) };
}

function openRows(source: ComputeSource, { range, filters }: ViewQuestion, readings: number): RangeReader {
  return createRangeReader(source.open(range, 'fine', readings), source.catalog, true).filtered(filters);
}

function secondsOf({ range }: ViewQuestion): number {
  return (range.to - range.from) / 1000;
}

function computeScenarios(source: ComputeSource, question: ViewQuestion): ViewAnswer {
  const { view, filters, foldBelow } = question;
  const { opened, reader } = openCoarse(source, question, 2 + foldingReadings(foldBelow));
  const rows = keptRows(opened, reader, source, question);
  const pass = rows.reader?.pass() ?? null;
  const byType = createQueryGroups(['type'], filters, source.catalog);
  const cache = pass === null || view !== 'phases' ? null : countCache(pass, byType, foldBelow);
  const { groups, folded } = readScenarios(source, reader, pass, filters, foldBelow);
  return {
    ...methodOf(opened, folded, reader.exact()),
    view: noted(drawn(), rows.missing),
  };

  function drawn(): ViewDocument {
    const durationSeconds = secondsOf(question);
    if (view === 'scenarios') return scenariosView(groups, { durationSeconds });
    if (view === 'ratios') return scenarioRatiosView(groups);
    const named = groups.map(({ scenario, source: from, ...group }) => ({
      name: from === 'page' ? scenario : `${scenario}, probes`,
      durationSeconds,
      ...group,
    }));
    return phasesView(named, cacheTableOf(cache?.() ?? new Map()));
  }
}

/** The samples of a range; where they are no longer kept, why. */
function keptRows(
  opened: OpenedRange,
  reader: RangeReader,
  source: ComputeSource,
  question: ViewQuestion,
): { readonly reader: RangeReader | null; readonly missing: string | null } {
  if (opened.fine) return { reader, missing: null };
  try {
    return { reader: openRows(source, question, 1), missing: null };
  } catch (error) {
    if (!(error instanceof StoreError) || !['samples_expired', 'too_many_samples'].includes(error.code)) throw error;
    return { reader: null, missing: error.message };
  }
}

function noted(view: ViewDocument, missing: string | null): ViewDocument {
  if (missing === null) return view;
  return { ...view, notes: [...view.notes, `What only single samples tell is left empty: ${missing}.`] };
}

function computePagesView(source: ComputeSource, question: ViewQuestion): ViewAnswer {
  const { filters, foldBelow } = question;
  const { opened, reader } = openCoarse(source, question, readingsOfPages(foldBelow, true));
  const rows = opened.fine ? reader : openRows(source, question, readingsOfPages(foldBelow, false));
  const { folded, ...facts } = readPages(source, reader, rows, filters, foldBelow);
  return {
    ...methodOf(opened, folded, reader.exact() && rows.exact()),
    view: pagesViewOf(facts, { durationSeconds: secondsOf(question) }),
  };
}

function computeProbesView(source: ComputeSource, question: ViewQuestion): ViewAnswer {
  const { range, filters, foldBelow, thresholds = {} } = question;
  const opened = source.open(range, 'fine');
  const samples = probeSamples(source, createRangeReader(opened, source.catalog, true), filters);
  const kept = withoutSmallSteps(samples, foldBelow);
  return { ...methodOf(opened, kept.folded), view: probesView(kept.samples, { thresholds }) };
}

/** What stands in a row of its own: nobody may be told by one. */
function stepOf({ origin, target, source, template }: StoredSample): string {
  return [origin.site, target, source, template].join('\n');
}

function withoutSmallSteps(
  samples: readonly StoredSample[],
  below: number,
): { samples: readonly StoredSample[]; folded: FoldedCells | null } {
  if (below <= 1) return { samples, folded: null };
  const clients = new Map<string, Set<string>>();
  for (const sample of samples) {
    const id = stepOf(sample);
    const own = clients.get(id) ?? new Set();
    clients.set(id, own.add(sample.origin.client));
  }
  const kept = samples.filter((sample) => (clients.get(stepOf(sample))?.size ?? 0) >= below);
  const cells = [...clients.values()].filter(({ size }) => size < below).length;
  const left = samples.length - kept.length;
  return { samples: kept, folded: cells === 0 ? null : { below, cells, samples: left, shownTogether: false } };
}
