import { SEES_EVERYTHING } from '../../collector/questions/viewer-rule.ts';
import type { Format } from '../../collector/reports/document/report-document.ts';
import { gatherReport } from '../../collector/reports/gather-report.ts';
import { parseReport } from '../../collector/reports/parse-report.ts';
import { renderSource } from '../../collector/reports/render-source.ts';
import type { Store } from '../../collector/storage/store.ts';
import { DAYS, FIRST_MS } from './generate-samples.ts';

const ROUNDS = 3;
const DAY_MS = 24 * 3_600_000;
const NOW = FIRST_MS + (DAYS + 1) * DAY_MS;
const MAX_MS = { html: 3000, pdf: 6000 } as const;

export interface ReportFigures {
  /** The default monthly report of everything, from asking the store to the last byte: the median of the rounds. */
  readonly htmlMs: number;
  readonly pdfMs: number;
  /** Whether all rounds gave the same bytes. */
  readonly sameBytes: boolean;
}

export async function reportFigures(store: Store, progress: (line: string) => void): Promise<ReportFigures> {
  const html = await rounds(store, 'html', progress);
  const pdf = await rounds(store, 'pdf', progress);
  return { htmlMs: html.ms, pdfMs: pdf.ms, sameBytes: html.same && pdf.same };
}

export function reportMisses({ htmlMs, pdfMs, sameBytes }: ReportFigures): string[] {
  return [
    ...(htmlMs > MAX_MS.html ? [`${Math.round(htmlMs)} ms for the HTML report, not ${MAX_MS.html}`] : []),
    ...(pdfMs > MAX_MS.pdf ? [`${Math.round(pdfMs)} ms for the PDF report, not ${MAX_MS.pdf}`] : []),
    ...(sameBytes ? [] : ['the same report came out in different bytes']),
  ];
}

async function rounds(store: Store, format: Format, progress: (line: string) => void) {
  const times: number[] = [];
  const made: Buffer[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    const request = parseReport({ view: 'monthly', format }, NOW);
    const source = await gatherReport({ store, version: 'bench', viewer: SEES_EVERYTHING }, request, NOW);
    made.push((await renderSource(source, format)).bytes);
    times.push(performance.now() - started);
    progress(`the report as ${format}: ${Math.round(times.at(-1) ?? 0)} ms`);
  }
  const [first] = made;
  return {
    ms: times.sort((a, b) => a - b)[Math.floor((ROUNDS - 1) / 2)] ?? Number.NaN,
    same: first !== undefined && first.length > 10_000 && made.every((bytes) => bytes.equals(first)),
  };
}
