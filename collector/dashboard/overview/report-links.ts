import { viewQuery } from '../model/summary-queries.ts';
import { element } from '../render/element.ts';
import type { ViewContext } from '../render/view.ts';

const FORMATS = [
  ['html', 'web page'],
  ['pdf', 'PDF'],
  ['csv', 'CSV'],
] as const;

/** The view's range and filters as a report to hand on: plain links, which the session's cookie opens. */
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
