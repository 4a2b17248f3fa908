import { toEvidenceClass } from '../../../shared/sample/evidence.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import type { DistributionBuilder } from '../../../shared/statistics/distribution.ts';
import { exactBuilder } from '../../../shared/statistics/exact-distribution.ts';
import type { AnyDimension } from '../../../shared/vocabulary/dimensions.ts';
import type { CellAggregate } from '../../reductions/cell-aggregate.ts';
import { compareCellKeys, toCellKey } from '../../reductions/cell-key.ts';
import { createRoundTripIndex } from './borrowed-round-trip.ts';
import { type CellBuilder, createCellBuilder } from './cell-builder.ts';

/** Groups samples one by one, so that a store can stream them. */
export interface Aggregator {
  add(sample: StoredSample): void;
  /** The groups seen so far, in key order. More samples may follow; what was returned does not change. */
  cells(): CellAggregate[];
}

/**
 * @param by dimensions to group by; an empty list makes one cell of everything
 * @param newDistribution exact unless a sketch is passed in
 */
export function createAggregator(
  by: readonly AnyDimension[],
  newDistribution: () => DistributionBuilder = exactBuilder,
): Aggregator {
  const cells = new Map<string, { readonly key: CellAggregate['key']; readonly builder: CellBuilder }>();
  const roundTrips = createRoundTripIndex();

  function cellOf(sample: StoredSample): CellBuilder {
    const key = toCellKey(sample, by);
    const id = JSON.stringify(by.map((dimension) => key[dimension]));
    let cell = cells.get(id);
    if (!cell) {
      cell = { key, builder: createCellBuilder(key, newDistribution) };
      cells.set(id, cell);
    }
    return cell.builder;
  }

  return {
    add(sample) {
      if (toEvidenceClass(sample) === 'usable') roundTrips.add(sample);
      cellOf(sample).add(sample);
    },
    cells: () =>
      [...cells.values()]
        .sort((a, b) => compareCellKeys(a.key, b.key, by))
        .map(({ builder }) => builder.build(roundTrips)),
  };
}

/** Groups samples with exact distributions. Without samples there are no cells. */
export function aggregateSamples(samples: Iterable<StoredSample>, by: readonly AnyDimension[]): CellAggregate[] {
  const aggregator = createAggregator(by);
  for (const sample of samples) aggregator.add(sample);
  return aggregator.cells();
}
