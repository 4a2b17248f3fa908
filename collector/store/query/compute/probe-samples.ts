import { isProbe } from '../../../../shared/classify/sample-source.ts';
import type { StoredSample } from '../../../../shared/sample/sample.ts';
import type { Filters } from '../../../../shared/summary/dimensions.ts';
import { type ColumnNames, copyRows } from '../../chunk/copy-rows.ts';
import { lazySamples } from '../lazy-samples.ts';
import { createQueryGroups } from '../query-groups.ts';
import type { RangeReader } from '../range-reader.ts';
import type { ComputeSource } from './compute-source.ts';

/** What is asked of a probe's sample, by the view of probes and by what is told of each path. */
const READ: ColumnNames = {
  texts: ['target', 'host', 'scheme', 'template', 'source', 'connection', 'handshake', 'excluded', 'error'],
  numbers: ['status', 'ttlb'],
};

/**
 * The samples of probes, which are few among those of users; what else was read of their chunks is given back. They hold
 * what is asked of a probe; anything else of them throws.
 */
export function probeSamples({ catalog }: ComputeSource, reader: RangeReader, filters: Filters): StoredSample[] {
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
  return samples;
}
