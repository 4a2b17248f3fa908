import type { ApiClient, SessionRole } from '../api/api-client.ts';
import type { ViewQuery } from '../query-cache/query-state.ts';
import type { ViewState } from '../state/view-state.ts';
import type { Scope } from './scope.ts';

/** A view of nodes: `app/legacy-view.tsx` shows it. */
export interface View {
  /** Window title. */
  title(state: ViewState): string;
  /** The view's first query, sent before the session's role is known: the collector checks it anyway. */
  first?(context: Pick<ViewContext, 'state' | 'client' | 'now'>): ViewQuery<unknown>;
  /**
   * The whole content of the page for a state. Called at each navigation, never for a refresh: data belong in
   * `context.scope.panel`, which reads, refreshes and redraws its own part.
   */
  render(context: ViewContext): readonly Node[];
}

export interface ViewContext {
  readonly state: ViewState;
  readonly role: SessionRole;
  readonly client: ApiClient;
  /** Creates panels: parts of the page that read data. */
  readonly scope: Scope;
  now(): number;
  /** The address of a state. With `data-route` on its `<a>` a click does not reload the page. */
  link(to: ViewState): string;
  navigate(to: ViewState): void;
  /** Writes to the live region for screen readers. */
  announce(news: string): void;
}
