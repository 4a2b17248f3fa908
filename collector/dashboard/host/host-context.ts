import type { Filters } from '../../../shared/vocabulary/dimensions.ts';
import type { SummaryCell, SummaryMethod } from '../../analysis/summary/summary-document.ts';
import { viewKey, viewQuery } from '../model/summary-queries.ts';
import type { Scope } from '../render/scope.ts';
import type { ViewContext } from '../render/view.ts';

/** What every part of a host's page needs: the host, the type, and access to their data. */
export interface HostContext {
  readonly view: ViewContext;
  /** Of the panel that contains the page: nested panels stop with it. */
  readonly scope: Scope;
  readonly host: string;
  /** Null for all types together. */
  readonly type: string | null;
  /** Of the chosen type, or of all types. */
  readonly cell: SummaryCell;
  readonly method: SummaryMethod;
  /** Caption of exported charts: `erp.example.com · document · …`. */
  readonly of: string;
}

/** The page's host and type replace the filters for them. */
function hostFilters({ host, type }: Pick<HostContext, 'host' | 'type'>): Filters {
  return type === null ? { host: [host] } : { host: [host], type: [type] };
}

/** API path of a question about this host and type; `more` is appended to its query. */
export function hostPath(context: HostContext, path: string, more: string): string {
  const { view } = context;
  const query = viewQuery(view.state, view.now(), { filters: hostFilters(context) });
  return `/${path}?${query}${more === '' ? '' : `&${more}`}`;
}

/** Cache key of a query about this host and type. */
export function hostKey({ view, host, type }: HostContext, what: string): string {
  return `${what} ${JSON.stringify([host, type])} ${viewKey(view.state)}`;
}
