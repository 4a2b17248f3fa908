import type { JourneyResult } from '../probes/journey-results.ts';
import type { TableTexts } from '../text/english-tables.ts';
import { failureText } from '../text/probe-reasons.ts';
import { fillColumns, type TableDocument } from './table-document.ts';

/** Whether each journey was up and in time, by site, with a traffic light that needs no colours. */
export function journeysTable(
  journeys: readonly JourneyResult[],
  texts: TableTexts,
  timeOf = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}Z`,
): TableDocument {
  const { columns, dimensions, journeys: words } = texts;
  return {
    title: words.title,
    ...fillColumns(journeys, [
      ['light', words.light, 'text', ({ light }) => words.lights[light ?? 'none']],
      ['journey', dimensions.journey, 'text'],
      ['target', columns.target, 'text'],
      ['site', columns.place, 'text'],
      ['up', words.up, 'count'],
      ['down', words.down, 'count'],
      ['available', columns.available, 'share', ({ up, down }) => up / (up + down)],
      ['over', words.over, 'share', ({ over, up, down }) => over / (up + down)],
      ['median', words.median, 'ms'],
      ['slowest', words.slowest, 'text', slowestStep],
      ['since', words.since, 'text', ({ broken }) => broken && timeOf(Date.parse(broken.since))],
      ['why', columns.reason, 'text', ({ broken }) => broken && failureText(broken, texts)],
    ]),
    notes: [words.note],
  };

  function slowestStep({ steps }: JourneyResult): string | null {
    const medians = steps.map(({ median }) => median ?? -1);
    const at = medians.indexOf(Math.max(...medians));
    const { median = null, threshold = null } = steps[at] ?? {};
    return median === null ? null : words.step(at + 1, median, threshold);
  }
}
