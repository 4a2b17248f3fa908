import { viewQuery } from '../model/summary-queries.ts';
import { element } from '../render/element.ts';
import type { ViewContext } from '../render/view.ts';

const FORMATS = [
  ['html', 'web page'],
  ['pdf', 'PDF'],
  ['csv', 'CSV'],
] as const;

/** Links to a report with the view's range and filters; the session's cookie authorizes them. */
export function reportLinks({ state, now }: Pick<ViewContext, 'state' | 'now'>): HTMLElement {
  const host = state.view === 'host' ? (state.own.page ?? null) : null;
  const query = viewQuery(state, now(), host === null ? {} : { filters: { host: [host] } });
  return element(
    'p',
    { class: 'report-links' },
    'Export report: ',
    ...FORMATS.flatMap(([format, name], i) => [
      i === 0 ? '' : ' · ',
      element(
        'a',
        { href: `/api/v1/report?view=monthly&format=${format}&${query}`, 'data-focus': `report ${format}` },
        name,
      ),
    ]),
  );
}
