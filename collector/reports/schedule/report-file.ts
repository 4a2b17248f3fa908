import type { Format } from '../report-document.ts';

/** A report as it leaves. */
export interface ReportFile {
  readonly name: string;
  readonly format: Format;
  readonly mediaType: string;
  readonly bytes: Buffer;
}
