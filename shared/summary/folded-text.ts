import { FEW_BROWSERS } from './dimensions.ts';
import type { FoldedCells } from './summary-document.ts';

/** What a viewer is not shown by itself, and why. @param count how numbers are written */
export function foldedText(
  { below, cells, samples, shownTogether }: FoldedCells,
  count: (n: number) => string = String,
): string {
  const what = `${count(cells)} ${cells === 1 ? 'group' : 'groups'} (${count(samples)} samples)`;
  const how = shownTogether ? `shown only together, as ${FEW_BROWSERS}` : 'left out';
  return `${what} ${cells === 1 ? 'is' : 'are'} ${how}, so that no number tells of fewer than ${below} browsers, by itself or by subtraction`;
}
