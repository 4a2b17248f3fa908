import type { DemoTarget, SummaryCell, SummaryDocument } from '../../analysis/summary/summary-document.ts';
import { alignColumns } from '../../lib/align-columns.ts';

/** The demo's printed report: each built-in delay next to the browser's measurement. */
export function demoReport(summary: SummaryDocument, data: string): string[] {
  const rows = (summary.method.demo?.targets ?? []).map((target) => [
    target.host,
    `${target.serverDelayMs} + ${target.roundTripMs} ms`,
    ...measured(target, summary),
  ]);
  return [
    ...alignColumns([['host', 'known delay', 'median wait of documents or scripts', 'n'], ...rows]),
    '',
    `The data stay in ${data}. To look at them again: npx lastbyte serve --data ${data}`,
  ];
}

function measured({ host }: DemoTarget, summary: SummaryDocument): [string, string] {
  const cell = cellOf(host, summary);
  const wait = cell?.phases.wait ?? null;
  return wait === null ? ['unknown', '0'] : [`${wait.median.toFixed(1)} ms (${cell?.type})`, String(wait.n)];
}

/** Documents if the host serves them; a third party has scripts. */
function cellOf(host: string, summary: SummaryDocument): SummaryCell | undefined {
  const cells = summary.cells.filter((cell) => cell.host === host && cell.phases.wait !== null);
  return cells.find((cell) => cell.type === 'document') ?? cells.find((cell) => cell.type === 'script') ?? cells[0];
}
