import type { SummaryCell } from '../../analysis/summary/summary-document.ts';

/** Documents that users saw, by how they came. */
export const PAGE_VIEW_KINDS = ['network', 'cache', 'redirect', 'worker', 'prerender'] as const;
export type PageViews = Readonly<Record<(typeof PAGE_VIEW_KINDS)[number], number>>;

/** Errors, failures and tabs that were never looked at are no page views. All 0 if the filters leave none. */
export function countPageViews(cells: readonly SummaryCell[]): PageViews {
  const documents = cells.filter(({ type }) => type === 'document').map(({ evidence }) => evidence);
  const sum = (read: (evidence: SummaryCell['evidence']) => number | undefined) =>
    documents.reduce((all, evidence) => all + (read(evidence) ?? 0), 0);
  return {
    network: sum(({ usable, excluded }) => usable + (excluded.challenge ?? 0)),
    cache: sum(({ cache }) => cache),
    redirect: sum(({ excluded }) => excluded.redirect),
    worker: sum(({ excluded }) => excluded.worker),
    prerender: sum(({ excluded }) => excluded.prerender),
  };
}

export function sumPageViews(views: PageViews): number {
  return PAGE_VIEW_KINDS.reduce((all, kind) => all + views[kind], 0);
}

/** `812 from the network, 30 from the cache`: kinds that there were, or the first. */
export function listPageViews(
  views: PageViews,
  names: Readonly<Record<keyof PageViews, string>>,
  count: (value: number) => string,
): string {
  const kinds = PAGE_VIEW_KINDS.filter((kind, index) => views[kind] > 0 || (index === 0 && sumPageViews(views) === 0));
  return kinds.map((kind) => `${count(views[kind])} ${names[kind]}`).join(', ');
}
