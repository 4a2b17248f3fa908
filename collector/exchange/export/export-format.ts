import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import type { ExportColumn } from './export-columns.ts';

export interface ExportAbout {
  /** Lastbyte's version. */
  readonly version: string;
}

/** Encodes blocks of samples as the bytes of a file, piece by piece; holds no more than one piece. */
export type Encode = (
  blocks: AsyncIterable<SampleColumns>,
  table: readonly ExportColumn[],
  about: ExportAbout,
) => AsyncGenerator<Uint8Array>;
