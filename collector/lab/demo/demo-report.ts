import type { DemoTarget, SummaryCell, SummaryDocument } from '../../analysis/summary/summary-document.ts';

/** What the demo prints for a person: each delay that was built in beside what the browser measured of it. */
export function demoReport(summary: SummaryDocument, data: string): string[] {
  const rows = (summary.method.demo?.targets ?? []).map((target) => [
    target.host,
    known(target),
    ...measured(target, summary),
  ]);
  const table = [['host', 'known delay', 'median wait of documents or scripts', 'n'], ...rows];
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...lines, '', `The data stay in ${data}. To look at them again: npx lastbyte serve --data ${data}`];
}

function known({ serverDelayMs, roundTripMs }: DemoTarget): string {
  return `${serverDelayMs} + ${roundTripMs} ms`;
}

function measured({ host }: DemoTarget, summary: SummaryDocument): [string, string] {
  const cell = cellOf(host, summary);
  const wait = cell?.phases.wait ?? null;
  return wait === null ? ['unknown', '0'] : [`${wait.median.toFixed(1)} ms (${cell?.type})`, String(wait.n)];
}

/** Documents of a host that serves them; a third party has scripts. */
function cellOf(host: string, summary: SummaryDocument): SummaryCell | undefined {
  const cells = summary.cells.filter((cell) => cell.host === host && cell.phases.wait !== null);
  return cells.find((cell) => cell.type === 'document') ?? cells.find((cell) => cell.type === 'script') ?? cells[0];
}
