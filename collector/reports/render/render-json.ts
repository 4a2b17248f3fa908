import type { Report } from '../report-document.ts';

/** The numbers themselves, to be read by people too. */
export function renderJson(report: Report): string {
  return `${JSON.stringify(documentOf(report), null, 2)}\n`;
}

/** The same without a line break, as a value among lines. */
export function renderJsonLine(report: Report): string {
  return JSON.stringify(documentOf(report));
}

function documentOf({ data, madeAt }: Report): object {
  return madeAt === null ? data : { ...data, madeAt };
}
