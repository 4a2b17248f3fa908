import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import type { ExportColumn } from './export-columns.ts';

export interface ExportAbout {
  /** Lastbyte's own version. */
  readonly version: string;
}

/** Blocks of samples as the bytes of a file, piece by piece: nothing is held longer than its piece. */
export type Encode = (
  blocks: AsyncIterable<SampleColumns>,
  table: readonly ExportColumn[],
  about: ExportAbout,
) => AsyncGenerator<Uint8Array>;
