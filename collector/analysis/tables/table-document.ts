/** One table of a view, for a screen, a terminal, CSV or print alike: numbers stay numbers, and null is "unknown". */
export interface TableDocument {
  readonly title: string;
  readonly columns: readonly TableColumn[];
  /** One value per column name; every row has every column. */
  readonly rows: readonly TableRow[];
  /** What a reader must know before trusting the table, in plain sentences. */
  readonly notes: readonly string[];
}

export interface TableColumn {
  /** Key in the rows; stable. */
  readonly name: string;
  /** Heading as a reader sees it, without the unit. */
  readonly label: string;
  readonly unit: Unit;
}

/** `share` is 0 … 1; `count` and `bytes` are whole; `text` has no unit. */
export type Unit =
  | 'text'
  | 'count'
  | 'ms'
  | 's'
  | 'share'
  | 'ratio'
  | 'per_second'
  | 'bytes'
  | 'kb_per_second'
  | 'number';

type TableValue = string | number | null;
export type TableRow = Readonly<Record<string, TableValue>>;

export const VIEWS = ['scenarios', 'phases', 'pages', 'ratios', 'probes'] as const;
export type ViewName = (typeof VIEWS)[number];

export interface ViewDocument {
  readonly view: ViewName;
  readonly title: string;
  readonly tables: readonly TableDocument[];
  readonly notes: readonly string[];
}

export function column(name: string, label: string, unit: Unit): TableColumn {
  return { name, label, unit };
}

type ValueNames<Row> = { [Name in keyof Row]: Row[Name] extends TableValue ? Name : never }[keyof Row] & string;

/** A column with what it has in a row; without that, the row has it under the column's name. */
type Filled<Row> =
  | readonly [...Parameters<typeof column>, value: (row: Row) => TableValue]
  | readonly [name: ValueNames<Row>, label: string, unit: Unit];

export function fillColumns<Row extends object>(
  rows: readonly Row[],
  columns: readonly Filled<Row>[],
): Pick<TableDocument, 'columns' | 'rows'> {
  const cell = (row: Row, [name, , , value]: Filled<Row>) =>
    value === undefined ? (row as TableRow)[name] : value(row);
  return {
    columns: columns.map(([name, label, unit]) => column(name, label, unit)),
    rows: rows.map((row) => Object.fromEntries(columns.map((one) => [one[0], cell(row, one) ?? null]))),
  };
}

/** Columns in the order of their headings. @param units the columns of each unit; all others are text */
export function labelledColumns<Name extends string>(
  labels: Readonly<Record<Name, string>>,
  units: Readonly<Partial<Record<Unit, readonly NoInfer<Name>[]>>> = {},
): readonly TableColumn[] {
  const unitOf = new Map(Object.entries(units).flatMap(([unit, names]) => names.map((name) => [name, unit as Unit])));
  return (Object.keys(labels) as Name[]).map((name) => column(name, labels[name], unitOf.get(name) ?? 'text'));
}
