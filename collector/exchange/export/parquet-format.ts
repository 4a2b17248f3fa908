import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { NULL } from '../../../shared/sample/sample-columns.ts';
import type { ColumnKind, ColumnValues, ExportColumn } from './export-columns.ts';
import type { Encode } from './export-format.ts';

/** Rows of a row group, the most that is held in memory besides one block. Writing them blocks for about 5 ms, and for five times that before the
 * code is optimized. */
const ROW_GROUP_ROWS = 1000;

const TYPES: Readonly<Record<ColumnKind, Pick<SchemaElement, 'type' | 'converted_type'>>> = {
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  whole: { type: 'INT64' },
  ms: { type: 'DOUBLE' },
};

/** https://parquet.apache.org/docs/file-format/: row groups in order, the index at the end. */
export const encodeParquet: Encode = async function* encodeParquet(blocks, table, { version }) {
  const pieces = new PieceWriter();
  const parquet = new ParquetWriter({
    writer: pieces,
    schema: [{ name: 'root', num_children: table.length }, ...table.map(schemaOf)],
    createdBy: `lastbyte version ${version}`,
  });
  let held = table.map((): unknown[] => []);
  const writeGroup = async () => {
    const columnData = table.map(({ name, kind }, index) => ({
      name,
      data: held[index] ?? [],
      // Readers skip row groups by time; for other columns the bounds cost more than they save.
      statistics: kind === 'time',
      offsetIndex: false,
    }));
    await parquet.write({ columnData, rowGroupSize: ROW_GROUP_ROWS });
    held = table.map(() => []);
  };
  for await (const columns of blocks) {
    const values = table.map((column) => column.read(columns));
    for (let from = 0; from < columns.n; ) {
      const to = Math.min(from + ROW_GROUP_ROWS - (held[0]?.length ?? 0), columns.n);
      table.forEach((column, index) => {
        appendValues(held[index] ?? [], column.kind, values[index] as ColumnValues, from, to);
      });
      from = to;
      if ((held[0]?.length ?? 0) < ROW_GROUP_ROWS) continue;
      await writeGroup();
      yield pieces.take();
    }
  }
  if ((held[0]?.length ?? 0) > 0) await writeGroup();
  await parquet.finish();
  yield pieces.take();
};

function schemaOf({ name, kind, nullable }: ExportColumn): SchemaElement {
  return { name, ...TYPES[kind], repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED' };
}

function appendValues(into: unknown[], kind: ColumnKind, values: ColumnValues, from: number, to: number): void {
  if (values.strings !== undefined) {
    for (let row = from; row < to; row++) into.push(values.strings[values.codes[row] as number] ?? null);
    return;
  }
  const { numbers } = values;
  const whole = kind === 'whole' || kind === 'time';
  for (let row = from; row < to; row++) {
    const value = numbers[row] as number;
    into.push(value === NULL ? null : whole ? BigInt(value) : value / 1000);
  }
}

/** Hands out the bytes written since the last call; offsets in the file continue. */
class PieceWriter extends ByteWriter {
  take(): Uint8Array {
    const piece = this.getBytes().slice();
    this.index = 0;
    return piece;
  }
}
