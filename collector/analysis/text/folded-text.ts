import { FEW_BROWSERS } from '../../../shared/vocabulary/dimensions.ts';
import type { FoldedCells } from '../summary/summary-document.ts';

/** What a viewer is not shown by itself, and why. */
export function foldedText({ below, shownTogether }: FoldedCells): string {
  const how = shownTogether ? `shown only together, as ${FEW_BROWSERS}` : 'left out';
  return `Groups of few browsers are ${how}, so that no number tells of fewer than ${below} browsers, by itself or by subtraction`;
}
