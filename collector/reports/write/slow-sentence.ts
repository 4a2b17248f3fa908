import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import { slowGroupText } from '../../analysis/text/slow-group-text.ts';
import { offset } from '../../analysis/time/zoned-time.ts';
import type { ReportTexts } from '../language/english.ts';

const MINUTE_MS = 60_000;

/** What the slow requests of a cell have in common; empty if there are none, or if it is not known. @param at when the zone's clocks count */
export function slowSentence(cell: SummaryCell | null, texts: ReportTexts, zone: string, at: number): string[] {
  if (cell?.slowGroup == null || cell.gap === null) return [];
  const ahead = offset(at, zone) / MINUTE_MS;
  const text = slowGroupText(cell.slowGroup, cell.gap.tailFrom, texts.slowGroup, texts, ahead);
  return text === null ? [] : [text];
}
