import type { Report } from '../report-document.ts';

/** A report as the document that the format json prints. */
export function reportDocument({ data, madeAt }: Report): object {
  return madeAt === null ? data : { ...data, madeAt };
}

export function renderJson(report: Report): string {
  return `${JSON.stringify(reportDocument(report), null, 2)}\n`;
}
