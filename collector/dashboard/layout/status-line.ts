import { formatAge } from '../../analysis/text/format.ts';
import { UnreachableError } from '../api/api-error.ts';
import { asApiError } from '../api/describe-error.ts';
import type { QueryCache } from '../query-cache/query-cache.ts';
import { button, element } from '../render/element.ts';
import { replaceKeepingFocus } from '../render/keep-focus.ts';

/** Shows in the page header how old the data are, and why they are not newer. */
export function showStatus(region: HTMLElement, cache: QueryCache, now: () => number): void {
  const { loading, oldest, failed, error } = cache.status();
  if (oldest === null && !loading) {
    region.replaceChildren();
    return;
  }
  const refresh = () => cache.refresh('all');
  const kind = !failed || oldest === null ? null : error instanceof UnreachableError ? 'unreachable' : 'failed';
  const age = oldest === null ? '' : formatAge(now() - oldest);
  const text =
    kind === 'unreachable'
      ? `The collector does not respond. Showing data from ${age}.`
      : kind === 'failed'
        ? `The last update failed (${asApiError(error).code}). Showing data from ${age}.`
        : loading || oldest === null
          ? 'Loading …'
          : `Updated ${age}`;
  replaceKeepingFocus(
    region,
    element(
      'div',
      {
        class: `status${kind === null ? '' : ' stale'}`,
        'data-freshness': kind ?? (loading || oldest === null ? 'loading' : 'fresh'),
      },
      element('span', { role: kind === null ? null : 'alert' }, text),
      button({ class: 'plain', 'data-focus': 'refresh' }, refresh, kind === null ? 'Refresh' : 'Retry now'),
    ),
  );
}
