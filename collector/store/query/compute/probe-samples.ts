import { isProbe } from '../../../../shared/classify/sample-source.ts';
import type { StoredSample } from '../../../../shared/sample/sample.ts';
import type { Filters } from '../../../../shared/summary/dimensions.ts';
import type { FoldedCells } from '../../../../shared/summary/summary-document.ts';
import { type ColumnNames, copyRows } from '../../chunk/copy-rows.ts';
import { foldSmallGroups } from '../fold-small-groups.ts';
import { lazySamples } from '../lazy-samples.ts';
import { createQueryGroups } from '../query-groups.ts';
import type { RangeReader } from '../range-reader.ts';
import { smallGroups } from '../small-groups.ts';
import type { Viewer } from '../viewer.ts';

/** What is asked of a probe's sample, by the view of probes and by what is told of each path. */
const READ: ColumnNames = {
  texts: ['target', 'host', 'scheme', 'template', 'source', 'connection', 'handshake', 'excluded', 'error'],
  numbers: ['status', 'ttlb'],
};

export interface ProbeSamples {
  readonly samples: readonly StoredSample[];
  readonly folded: FoldedCells | null;
}

/**
 * The samples of probes, which are few among those of users; what else was read of their chunks is given back. They hold
 * what is asked of a probe; anything else of them throws.
 */
export function probeSamples(viewer: Viewer, reader: RangeReader, filters: Filters): ProbeSamples {
  const whole = foldSmallGroups(viewer, reader, { by: [], filters });
  const { catalog } = viewer;
  const groups = createQueryGroups([], filters, catalog);
  const samples: StoredSample[] = [];
  const pass = reader.pass();
  pass.rows((part) => {
    const { entries, codes } = part.columns.text('source');
    const ofProbe = entries.map(isProbe);
    if (!ofProbe.includes(true) || !groups.hasRows(part)) return;
    const inside = groups.groupsOfRows(part);
    const rows: number[] = [];
    for (let row = 0; row < inside.length; row++) {
      if ((inside[row] as number) >= 0 && ofProbe[codes[row] as number] === true) rows.push(row);
    }
    const read = lazySamples(copyRows(part.columns, Int32Array.from(rows), READ));
    for (let row = 0; row < rows.length; row++) samples.push(read(row));
  });
  pass.run();
  if (whole.folding === null || samples.length === 0) return { samples, folded: null };
  return { samples: [], folded: { below: viewer.foldBelow, shownTogether: false } };
}

/** Without those of groups that a person could be told by. @param groupOf what stands in a row of its own */
export function withoutSmallSamples(
  viewer: Viewer,
  { samples, folded }: ProbeSamples,
  groupOf: (sample: StoredSample) => string,
): ProbeSamples {
  const below = viewer.foldBelow;
  if (below <= 1 || folded !== null) return { samples, folded };
  const groups = new Map<string, { samples: number; clients: Set<string> }>();
  for (const sample of samples) {
    const id = groupOf(sample);
    const group = groups.get(id) ?? { samples: 0, clients: new Set() };
    groups.set(id, group);
    group.samples++;
    if (viewer.counts(sample.origin.client)) group.clients.add(sample.origin.client);
  }
  const all = [...groups];
  const sized = all.map(([, { samples: n, clients }]) => ({ browsers: clients.size, samples: n }));
  const together = (indexes: readonly number[]) =>
    new Set(indexes.flatMap((index) => [...(all[index]?.[1].clients ?? [])])).size;
  const small = new Set(smallGroups(sized, below, together).flatMap((index) => all[index]?.[0] ?? []));
  if (small.size === 0) return { samples, folded: null };
  const kept = samples.filter((sample) => !small.has(groupOf(sample)));
  return { samples: kept, folded: { below, shownTogether: false } };
}

/** What has a row of its own in the view of probes. */
export function stepOf({ origin, target, source, scheme, host, template }: StoredSample): string {
  return JSON.stringify([origin.site, target, source, scheme, host, template]);
}
