import { isFewBrowsers } from '../../../shared/vocabulary/dimensions.ts';
import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import { waitedMs } from './overview-row.ts';

/** The cell with the longest total wait over all requests: the subject of the headline. */
export function headlineCell(cells: readonly SummaryCell[]): SummaryCell | null {
  let longest: SummaryCell | null = null;
  let most = -1;
  for (const cell of cells.filter((one) => !isFewBrowsers(one))) {
    const waited = waitedMs(cell);
    if (waited !== null && waited > most) {
      longest = cell;
      most = waited;
    }
  }
  return longest;
}
