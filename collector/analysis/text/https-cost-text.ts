import { type NamesOfApps, NO_APP_NAMES } from '../../../shared/settings/app-names.ts';
import { isFewBrowsers } from '../../../shared/vocabulary/dimensions.ts';
import { muchOfOne } from '../summary/finding.ts';
import type { HttpsCost, SummaryCell } from '../summary/summary-document.ts';
import type { ENGLISH_HTTPS_COST } from './english-https-cost.ts';

export type HttpsCostWords = typeof ENGLISH_HTTPS_COST;

/** From here on it is said that requests hide their phases. */
const MANY_HIDDEN = 0.1;

/**
 * What HTTPS costs the users of each app, a sentence or two per app, the most expensive first.
 * @param cells of a summary by `target` with `include=httpsCost`
 */
export function httpsCostLines(
  cells: readonly SummaryCell[],
  words: HttpsCostWords,
  names: NamesOfApps = NO_APP_NAMES,
): string[] {
  return cells
    .flatMap(({ httpsCost: cost, ...cell }) => (cost === undefined || isFewBrowsers(cell) ? [] : [{ cost, cell }]))
    .sort((a, b) => (b.cost.mean ?? -1) - (a.cost.mean ?? -1))
    .map(({ cost, cell: { target, evidence } }) => {
      const users = words.users(target == null ? target : (names.get(target) ?? target));
      const hidden = evidence.opaque / Math.max(1, evidence.usable + evidence.opaque);
      const busiest = muchOfOne(cost.busiest);
      return [
        costSentence(users, cost, words),
        ...(busiest === null ? [] : [words.busiest(busiest)]),
        ...(cost.mean !== null && hidden >= MANY_HIDDEN ? [words.hidden(hidden)] : []),
      ].join('');
    });
}

function costSentence(users: string, cost: HttpsCost, words: HttpsCostWords): string {
  const { mean, share, interval, median, perConnection, requests, opened, reason } = cost;
  if (mean === null) return words.untold(users, words.reasons[reason ?? 'not_measured']);
  if (perConnection === null) return words.nothing(users, requests);
  return (
    words.costs(users, mean, share, interval) +
    words.parts(median ?? 0, perConnection, opened / requests) +
    (reason === null ? '' : words.noInterval(words.reasons[reason]))
  );
}
