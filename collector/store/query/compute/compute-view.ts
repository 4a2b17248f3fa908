import { scenarioLabelOf, scenarioOf } from '../../../../shared/classify/scenario.ts';
import type { StoredSample } from '../../../../shared/sample/sample.ts';
import { HANDSHAKES } from '../../../../shared/sample/vocabulary.ts';
import type { CellAggregate } from '../../../../shared/summary/cell-aggregate.ts';
import type { Filters } from '../../../../shared/summary/dimensions.ts';
import type { FoldedCells } from '../../../../shared/summary/summary-document.ts';
import { cacheTableOf } from '../../../../shared/views/cache-table.ts';
import { pagesView } from '../../../../shared/views/pages-view.ts';
import { phasesView } from '../../../../shared/views/phases-view.ts';
import { probesView } from '../../../../shared/views/probes-view.ts';
import { type ScenarioGroup, scenarioGroups, sourceOf } from '../../../../shared/views/scenario-groups.ts';
import { scenarioRatiosView } from '../../../../shared/views/scenario-measures.ts';
import { scenariosView } from '../../../../shared/views/scenarios-view.ts';
import type { ViewDocument, ViewName } from '../../../../shared/views/table-document.ts';
import { aggregateCells } from '../answer-query.ts';
import { cellAggregateOf } from '../cell-aggregate-of.ts';
import { lazySamples } from '../lazy-samples.ts';
import type { PlainQuery } from '../plain-answer.ts';
import { createQueryGroups } from '../query-groups.ts';
import { createRangeReader, type RangeReader } from '../range-reader.ts';
import { type ComputeMethod, type ComputeSource, methodOf } from './compute-source.ts';
import { countCache } from './count-cache.ts';

export interface ViewQuestion extends Pick<PlainQuery, 'range' | 'filters'> {
  readonly view: ViewName;
  readonly foldBelow: number;
}

/** One of the views of whole samples. Exact, always. */
export function computeView(
  source: ComputeSource,
  { range, filters, view, foldBelow }: ViewQuestion,
): ComputeMethod & { readonly view: ViewDocument } {
  const opened = source.open(range, 'fine');
  const reader = createRangeReader(opened, source.catalog, true);
  const groups = createQueryGroups([], filters, source.catalog);
  const samples: StoredSample[] = [];
  for (const part of reader.parts) {
    reader.checkpoint();
    const inside = groups.groupsOfRows(part);
    const read = lazySamples(part.columns);
    for (let row = 0; row < part.columns.n; row++) if (inside[row] === 0) samples.push(read(row));
  }
  const kept = withoutSmallGroups(samples, GROUP_OF[view], foldBelow);
  const durationSeconds = (range.to - range.from) / 1000;
  const scenarios = () => scenarioGroups(kept.samples, (group) => aggregateScenario(reader, filters, source, group));
  return { ...methodOf(opened, kept.folded), view: drawn() };

  function drawn(): ViewDocument {
    switch (view) {
      case 'pages': {
        // Of viewers' samples some may be left out, and then nobody has added up the others yet.
        const whole = kept.folded === null ? aggregateOf(reader, filters, source) : undefined;
        return pagesView(kept.samples, { durationSeconds, whole: whole ?? null });
      }
      case 'probes':
        return probesView(kept.samples, { thresholds: {} });
      case 'ratios':
        return scenarioRatiosView(scenarios());
      case 'scenarios':
        return scenariosView(scenarios(), { durationSeconds });
      case 'phases': {
        const named = scenarios().map(({ scenario, source, ...group }) => ({
          name: source === 'page' ? scenario : `${scenario}, probes`,
          durationSeconds,
          ...group,
        }));
        const byType = createQueryGroups(['type'], filters, source.catalog);
        return phasesView(named, cacheTableOf(countCache(reader.parts, byType, foldBelow)));
      }
    }
  }
}

function aggregateOf(reader: RangeReader, filters: Filters, source: ComputeSource): CellAggregate | undefined {
  return aggregateCells({ by: [], filters }, reader, source.catalog, null).map(cellAggregateOf)[0];
}

/** A scenario's samples column by column: ten times as fast as one by one. */
function aggregateScenario(
  reader: RangeReader,
  filters: Filters,
  source: ComputeSource,
  group: Omit<ScenarioGroup, 'aggregate'>,
): CellAggregate | undefined {
  const [first] = group.samples;
  if (first === undefined) return undefined;
  const handshake = HANDSHAKES.filter((word) => group.scenario.endsWith(`-${word}`));
  const sources = [...new Set(group.samples.map((sample) => sample.source))];
  return aggregateOf(
    reader,
    {
      ...filters,
      scenario: [scenarioOf(first) ?? ''],
      source: sources,
      ...(handshake.length === 0 ? {} : { handshake }),
    },
    source,
  );
}

/** What stands in a row of its own in each view: nobody may be told by one. */
const GROUP_OF: Readonly<Record<ViewName, (sample: StoredSample) => readonly (string | null)[]>> = {
  pages: ({ host, template, type }) => [host, template, type],
  probes: ({ origin, target, source, template }) => [origin.site, target, source, template],
  ratios: (sample) => [scenarioLabelOf(sample), sourceOf(sample)],
  scenarios: (sample) => [scenarioLabelOf(sample), sourceOf(sample)],
  phases: (sample) => [scenarioLabelOf(sample), sourceOf(sample)],
};

function withoutSmallGroups(
  samples: readonly StoredSample[],
  groupOf: (sample: StoredSample) => readonly (string | null)[],
  below: number,
): { samples: readonly StoredSample[]; folded: FoldedCells | null } {
  if (below <= 1) return { samples, folded: null };
  const places = new Map<string, number>();
  const clients: Set<string>[] = [];
  const groups = samples.map((sample) => {
    const id = groupOf(sample).join('\n');
    const place = places.get(id) ?? clients.push(new Set()) - 1;
    places.set(id, place);
    clients[place]?.add(sample.origin.client);
    return place;
  });
  const kept = samples.filter((_, i) => (clients[groups[i] as number]?.size ?? 0) >= below);
  const cells = clients.filter(({ size }) => size < below).length;
  const left = samples.length - kept.length;
  return { samples: kept, folded: cells === 0 ? null : { below, cells, samples: left, shownTogether: false } };
}
