import type { Filters } from '../../../shared/vocabulary/dimensions.ts';
import type { SummaryCell, SummaryMethod } from '../../analysis/summary/summary-document.ts';
import { viewKey, viewQuery } from '../model/summary-queries.ts';
import type { Scope } from '../render/scope.ts';
import type { ViewContext } from '../render/view.ts';

/** What every part of a host's page needs: which host, which type, and how to read about them. */
export interface HostContext {
  readonly view: ViewContext;
  /** Of the panel that holds the page: parts inside end with it. */
  readonly scope: Scope;
  readonly host: string;
  /** null: all types together. */
  readonly type: string | null;
  /** The chosen type's, or all types'. */
  readonly cell: SummaryCell;
  readonly method: SummaryMethod;
  /** For saved pictures: `erp.example.com · document · …`. */
  readonly of: string;
}

/** The host and type of the page in place of whatever the filters say of them. */
function hostFilters({ host, type }: Pick<HostContext, 'host' | 'type'>): Filters {
  return type === null ? { host: [host] } : { host: [host], type: [type] };
}

/** The path of a question about this host and type; `more` is added to its query. */
export function hostPath(context: HostContext, path: string, more: string): string {
  const { view } = context;
  const query = viewQuery(view.state, view.now(), { filters: hostFilters(context) });
  return `/${path}?${query}${more === '' ? '' : `&${more}`}`;
}

/** The key of a reading of this host and type. */
export function hostKey({ view, host, type }: HostContext, what: string): string {
  return `${what} ${JSON.stringify([host, type])} ${viewKey(view.state)}`;
}
