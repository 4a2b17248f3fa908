import type { Report } from '../report-document.ts';

export function renderJson({ data, madeAt }: Report): string {
  return `${JSON.stringify(madeAt === null ? data : { ...data, madeAt }, null, 2)}\n`;
}
