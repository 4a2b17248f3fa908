import { NULL } from '../../../shared/sample/sample-columns.ts';
import type { QueryGroups } from './query-groups.ts';
import type { RangePass, TakeValues } from './range-pass.ts';
import type { RowPart } from './row-part.ts';

/** Sizes of the encoded bodies of usable rows, multiplied by 1,000, because statistics divide their values by 1,000. */
export function collectBodySizes(pass: RangePass, groups: QueryGroups): TakeValues {
  return pass.collectRows((part) => [bodySizes(part)], groups.groupsOfRows);
}

function bodySizes(part: RowPart): Float64Array {
  const usable = part.metrics.usable();
  const sizes = part.columns.number('encodedBodySize');
  const values = new Float64Array(sizes.length).fill(Number.NaN);
  for (let row = 0; row < sizes.length; row++) {
    const size = sizes[row] as number;
    if (size !== NULL && usable[row] === 1) values[row] = size * 1000;
  }
  return values;
}

/** `receive` of all groups together by the class of the encoded body's size; null leaves a row out. Call once the pass has run. */
export function collectReceiveBySize(
  pass: RangePass,
  groups: QueryGroups,
  classOf: (size: number | null) => number | null,
): { readonly classes: ReadonlySet<number>; readonly take: TakeValues } {
  const classes = new Set<number>();
  const take = pass.collectRows(
    (part) => [part.metrics.values('receive')],
    (part) => {
      const inside = groups.groupsOfRows(part);
      const sizes = part.columns.number('encodedBodySize');
      const found = new Int32Array(sizes.length).fill(-1);
      for (let row = 0; row < sizes.length; row++) {
        if ((inside[row] as number) < 0) continue;
        const size = sizes[row] as number;
        const power = classOf(size === NULL ? null : size) ?? -1;
        found[row] = power;
        classes.add(power);
      }
      return found;
    },
  );
  return { classes, take };
}

/** Instead of a status: a name for each row would take longer than everything else here. */
const HIDDEN = -1;
export const FAILED = -2;

export interface ResultCounts {
  /** Usable requests. */
  hits: number;
  /** Requests by status, `HIDDEN` or `FAILED`. */
  readonly codes: Map<number, number>;
}

/** In the order of the groups. Complete once the pass has run. */
export function collectResults(pass: RangePass, groups: QueryGroups): readonly ResultCounts[] {
  const counts: ResultCounts[] = [];
  pass.rows((part) => {
    if (!groups.hasRows(part)) return;
    countRows(part, groups.groupsOfRows(part), (group) => {
      while (counts.length <= group) counts.push({ hits: 0, codes: new Map() });
      return counts[group] as ResultCounts;
    });
  });
  return counts;
}

function countRows(
  { columns, metrics: measures }: RowPart,
  groups: Int32Array,
  countOf: (group: number) => ResultCounts,
): void {
  const usable = measures.usable();
  const status = columns.number('status');
  const { strings, codes: connections } = columns.text('connection');
  const failed = strings.indexOf('failed');
  for (let row = 0; row < groups.length; row++) {
    const group = groups[row] as number;
    if (group < 0) continue;
    const count = countOf(group);
    const known = status[row] as number;
    const code = known !== NULL ? known : connections[row] === failed ? FAILED : HIDDEN;
    count.codes.set(code, (count.codes.get(code) ?? 0) + 1);
    if (usable[row] === 1) count.hits++;
  }
}
