import type { ApiClient, SessionRole } from '../api/api-client.ts';
import type { Read } from '../query-cache/query-state.ts';
import type { ViewState } from '../state/view-state.ts';
import type { Scope } from './scope.ts';

/** The controls above a view; a view without any has no control bar. */
export type ControlName = 'range' | 'filters' | 'sort';

/** An entry of the table of views. */
export interface ViewEntry {
  /** The value of `?view=`. */
  readonly name: string;
  /** Label in the navigation; null hides the view there. */
  readonly label: string | null;
  /** The role it takes to open the view. */
  readonly role: SessionRole;
  readonly controls: readonly ControlName[];
  /** On demand, so that the first load contains the first view only. */
  load(): Promise<View>;
}

/** A query of a view. */
export interface ViewQuery<Value> {
  /** Without the clock: see `PanelSpec`. */
  readonly key: string;
  readonly read: Read<Value>;
}

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
