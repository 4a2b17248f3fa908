import { NUMBER_NAMES, type NumberName, TEXT_NAMES, type TextName } from '../../../shared/sample/sample-columns.ts';
import { HEADER_BYTES, PREDICTED_FROM } from '../columns/column-coding.ts';

/** The types of columns. */
export const TYPES = {
  text: 'LowCardinality(String)',
  optionalText: 'LowCardinality(Nullable(String))',
  int64: 'Int64',
  optionalInt64: 'Nullable(Int64)',
  uint32: 'UInt32',
  uint8: 'UInt8',
  texts: 'Array(String)',
  floats: 'Array(Float64)',
} as const;

/** How each type is stored: neighbours are alike, and disks are slower than decompression. */
const CODECS: Readonly<Record<keyof typeof TYPES, string>> = {
  text: 'ZSTD',
  optionalText: 'ZSTD',
  int64: 'Delta, ZSTD',
  optionalInt64: 'T64, ZSTD',
  uint32: 'ZSTD',
  uint8: 'ZSTD',
  texts: 'ZSTD',
  floats: 'ZSTD',
};

export interface TableColumn {
  readonly name: string;
  readonly type: keyof typeof TYPES;
}

/** Texts that every sample has. Those of the sorting key must not be nullable. */
const ALWAYS: ReadonlySet<TextName> = new Set<TextName>([
  'target',
  'host',
  'scheme',
  'template',
  'type',
  'source',
  'connection',
]);

export function textType(name: TextName): 'text' | 'optionalText' {
  return ALWAYS.has(name) ? 'text' : 'optionalText';
}

/** What all samples of a browser's batch have in common. `key` is empty for what a command wrote. */
export const ORIGIN_COLUMNS = [
  { name: 'client', type: 'text' },
  { name: 'site', type: 'text' },
  { name: 'browser', type: 'text' },
  { name: 'browserVersion', type: 'text' },
  { name: 'extensionVersion', type: 'text' },
  { name: 'clockStep', type: 'uint32' },
  { name: 'key', type: 'text' },
] as const satisfies readonly TableColumn[];

/**
 * What follows from a sample by rules of the collector (metric-columns.ts, row-counters.ts, row-digest.ts), stored so that no
 * statement repeats them.
 */
const DERIVED_COLUMNS = [
  /** The first sum of its digest. */
  { name: 'hash', type: 'uint32' },
  /** The counters that it raises, separated by spaces. */
  { name: 'counters', type: 'text' },
  /** The flags of MetricFlag. */
  { name: 'flags', type: 'uint8' },
  /** Set-up of a new connection, µs. */
  { name: 'setup', type: 'optionalInt64' },
] as const satisfies readonly TableColumn[];

/** Bits of `flags`. */
export const FLAGS = {
  usable: 1,
  /** Usable, on a new connection. */
  new: 2,
  /** No round trip can be subtracted from its wait. */
  wholeWait: 4,
  /** Its `tcp` is a network round trip. */
  roundTrip: 8,
} as const;

/** A sample itself: names are those of `Sample` and `ClientInfo`, `at` is epoch ms, times are µs, sizes bytes. */
export const OWN_COLUMNS: readonly TableColumn[] = [
  { name: 'at', type: 'int64' },
  ...ORIGIN_COLUMNS,
  ...TEXT_NAMES.map((name: TextName) => ({ name, type: textType(name) })),
  ...NUMBER_NAMES.map((name: NumberName) => ({ name, type: 'optionalInt64' as const })),
  { name: 'metric.name', type: 'texts' },
  { name: 'metric.value', type: 'floats' },
];

/** The table of samples. */
const SAMPLE_COLUMNS: readonly TableColumn[] = [...OWN_COLUMNS, ...DERIVED_COLUMNS];

export function quotedNames(columns: readonly TableColumn[]): string {
  return columns.map(({ name }) => `\`${name}\``).join(', ');
}

/**
 * What the table stores of them: of a number that nearly follows from others, which a chunk stores so too, only the
 * difference. The number itself is computed when it is read.
 */
export const STORED_COLUMNS: readonly TableColumn[] = SAMPLE_COLUMNS.map(({ name, type }) =>
  name in PREDICTED_FROM ? { name: restColumn(name), type } : { name, type },
);

export function restColumn(name: string): string {
  return `${name}Rest`;
}

/** A column of the table, as `CREATE TABLE` has it. */
export function defineColumn({ name, type }: TableColumn): string {
  return `\`${name}\` ${TYPES[type]} CODEC(${CODECS[type]})`;
}

/** All of them. */
export function sampleDefinitions(): string {
  return [
    ...STORED_COLUMNS.map(defineColumn),
    ...Object.entries(PREDICTED_FROM).map(([name, sources]) => {
      const sum = [restColumn(name), ...sources.map((source) => `ifNull(${source}, 0)`)];
      if (name === 'transferSize') sum.push(String(HEADER_BYTES));
      return `\`${name}\` ${TYPES.optionalInt64} ALIAS ${sum.join(' + ')}`;
    }),
  ].join(',\n    ');
}
