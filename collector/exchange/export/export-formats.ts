import type { Encode } from './export-format.ts';
import { encodeHar } from './har-format.ts';
import { encodeCsv, encodeNdjson } from './text-formats.ts';

interface ExportFormat {
  readonly mediaType: string;
  readonly encode: () => Promise<Encode>;
}

/** Every format by its name, which is also its file extension. */
export const EXPORT_FORMATS = {
  csv: { mediaType: 'text/csv; charset=utf-8; header=present', encode: async () => encodeCsv },
  ndjson: { mediaType: 'application/x-ndjson; charset=utf-8', encode: async () => encodeNdjson },
  // Imported only when used.
  parquet: {
    mediaType: 'application/vnd.apache.parquet',
    encode: async () => (await import('./parquet-format.ts')).encodeParquet,
  },
  har: { mediaType: 'application/json; charset=utf-8', encode: async () => encodeHar },
} as const satisfies Readonly<Record<string, ExportFormat>>;

export type ExportFormatName = keyof typeof EXPORT_FORMATS;
export const EXPORT_FORMAT_NAMES = Object.keys(EXPORT_FORMATS) as ExportFormatName[];
