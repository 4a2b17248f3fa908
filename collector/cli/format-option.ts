import { statSync } from 'node:fs';
import { UsageFailure } from '../lib/failure.ts';
import type { Format } from '../reports/document/report-document.ts';

const BY_EXTENSION: Readonly<Record<string, Format>> = {
  html: 'html',
  htm: 'html',
  pdf: 'pdf',
  csv: 'csv',
  json: 'json',
  md: 'md',
  markdown: 'md',
  txt: 'text',
};

/** The format that an output file's extension names; undefined for a folder, and without an extension. @throws UsageFailure */
export function formatOfFile(option: string, file: string): Format | undefined {
  const extension = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase();
  if (extension === undefined || statSync(file, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  if (Object.hasOwn(BY_EXTENSION, extension)) return BY_EXTENSION[extension];
  throw new UsageFailure(
    `the extension of ${option} ${file} is not that of a format`,
    `Use ${Object.keys(BY_EXTENSION).join(', ')}, or name the format with --format.`,
  );
}
