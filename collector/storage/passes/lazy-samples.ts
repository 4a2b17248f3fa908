import type { Sample, StoredSample } from '../../../shared/sample/sample.ts';
import {
  NULL,
  type NumberName,
  OTHER_NUMBERS,
  parseReasons,
  type SampleColumns,
  TEXT_NAMES,
  type TextName,
} from '../../../shared/sample/sample-columns.ts';
import { rowReader } from '../../../shared/sample/sample-reader.ts';
import { TIME_NAMES } from '../../../shared/vocabulary/time-names.ts';
import { once, onceEach } from '../../lib/once.ts';

/**
 * Rows as samples that read their columns lazily: a view uses ten of forty columns of a million samples, and whole objects
 * would take a hundred times the memory.
 */
export function lazySamples(columns: SampleColumns): (row: number) => StoredSample {
  const sources: Sources = {
    at: columns.at(),
    origins: once(() => columns.origins),
    origin: once(() => columns.origin()),
    text: onceEach((name: TextName) => columns.text(name)),
    number: onceEach((name: NumberName) => columns.number(name)),
    reasons: once(() => columns.text('unknown').strings.map(parseReasons)),
    whole: once(() => rowReader(columns)),
  };
  return (row) => new LazySample(sources, row) as LazySample & ReadColumns;
}

interface Sources {
  readonly at: Float64Array;
  readonly origins: () => SampleColumns['origins'];
  readonly origin: () => Int32Array;
  readonly text: SampleColumns['text'];
  readonly number: SampleColumns['number'];
  readonly reasons: () => readonly Sample['unknown'][];
  readonly whole: () => (row: number) => StoredSample;
}

/** What has a column of its own. */
type ReadColumns = Pick<StoredSample, keyof StoredSample & (TextName | (typeof OTHER_NUMBERS)[number])>;

class LazyRow {
  readonly sources: Sources;
  readonly row: number;
  constructor(sources: Sources, row: number) {
    this.sources = sources;
    this.row = row;
  }
}

class LazyTimes extends LazyRow {}

class LazySample extends LazyRow {
  private get whole(): StoredSample {
    return this.sources.whole()(this.row);
  }
  get at() {
    return this.sources.at[this.row] as number;
  }
  get origin() {
    return this.sources.origins()[this.sources.origin()[this.row] as number] as StoredSample['origin'];
  }
  get times() {
    return new LazyTimes(this.sources, this.row) as LazyTimes & Sample['times'];
  }
  get unknown() {
    return this.sources.reasons()[this.sources.text('unknown').codes[this.row] as number] ?? {};
  }
  get responseMark() {
    return (textOf(this, 'responseMark') ?? 'response_start') as NonNullable<Sample['responseMark']>;
  }
  get metrics() {
    return this.whole.metrics;
  }
  get tls() {
    return this.whole.tls;
  }
}

addColumns(LazyTimes, TIME_NAMES, numberOf);
addColumns(LazySample, TEXT_NAMES, textOf);
addColumns(LazySample, OTHER_NUMBERS, numberOf);

/** A property per column that the class does not read in another way. */
function addColumns<Name extends string>(
  { prototype }: typeof LazyRow,
  names: readonly Name[],
  read: (row: LazyRow, name: Name) => unknown,
): void {
  for (const name of names) {
    if (name in prototype) continue;
    Object.defineProperty(prototype, name, {
      get(this: LazyRow) {
        return read(this, name);
      },
    });
  }
}

function textOf({ sources, row }: LazyRow, name: TextName): string | null {
  const { strings, codes } = sources.text(name);
  return strings[codes[row] as number] ?? null;
}

function numberOf({ sources, row }: LazyRow, name: NumberName): number | null {
  const value = sources.number(name)[row] as number;
  return value === NULL ? null : value;
}
