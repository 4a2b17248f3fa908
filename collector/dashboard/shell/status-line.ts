import { formatAge } from '../../analysis/text/format.ts';
import { button, element } from '../render/element.ts';

export type Freshness =
  | { readonly kind: 'loading' }
  | { readonly kind: 'fresh'; readonly at: number }
  | { readonly kind: 'unreachable'; readonly at: number }
  | { readonly kind: 'failed'; readonly at: number; readonly code: string };

/** How old the view is, and why it is no younger. */
export function statusLine(freshness: Freshness, now: number, refresh: () => void): HTMLElement {
  const stale = freshness.kind === 'unreachable' || freshness.kind === 'failed';
  return element(
    'div',
    { class: `status${stale ? ' stale' : ''}`, 'data-freshness': freshness.kind },
    element('span', { role: stale ? 'alert' : null }, words(freshness, now)),
    button({ class: 'plain', 'data-focus': 'refresh' }, refresh, stale ? 'Try now' : 'Refresh'),
  );
}

function words(freshness: Freshness, now: number): string {
  switch (freshness.kind) {
    case 'loading':
      return 'Loading …';
    case 'fresh':
      return `Updated ${formatAge(now - freshness.at)}`;
    case 'unreachable':
      return `The collector does not answer. This view is from ${formatAge(now - freshness.at)}.`;
    case 'failed':
      return `The last update failed (${freshness.code}). This view is from ${formatAge(now - freshness.at)}.`;
  }
}
