import type { ApiClient, SessionRole } from '../api/api-client.ts';
import type { Read } from '../readings/reading.ts';
import type { Scope } from '../readings/scope.ts';
import type { ViewState } from '../state/view-state.ts';

/** What the strip above a view offers; a view that names none has no strip. */
export type ControlName = 'range' | 'filters' | 'sort';

/** One line of the table of views. */
export interface ViewEntry {
  /** What `?view=` says. */
  readonly name: string;
  /** Its place in the navigation; null keeps it out. */
  readonly label: string | null;
  /** `read`: everybody; `admin`: shown to admins only. */
  readonly role: SessionRole;
  readonly controls: readonly ControlName[];
  /** On demand, so that the first load holds the first view only. */
  load(): Promise<View>;
}

/** Something that is read for a view. */
export interface ViewReading<Value> {
  /** Without the clock: see `PanelSpec`. */
  readonly key: string;
  readonly read: Read<Value>;
}

export interface View {
  /** For the window's title. */
  title(state: ViewState): string;
  /** What the view reads first, to be asked for before it is known who is signed in: the collector knows. */
  first?(context: Pick<ViewContext, 'state' | 'client' | 'now'>): ViewReading<unknown>;
  /**
   * The whole content of the page for a state. Called at each navigation, never for a refresh: what is read from the
   * collector belongs into `context.scope.panel`, which reads, refreshes and redraws its own part.
   */
  render(context: ViewContext): readonly Node[];
}

export interface ViewContext {
  readonly state: ViewState;
  readonly role: SessionRole;
  readonly client: ApiClient;
  /** Makes panels: parts of the page that read something. */
  readonly scope: Scope;
  now(): number;
  /** The address of a state. With `data-route` on its `<a>` the click stays in the page. */
  link(to: ViewState): string;
  navigate(to: ViewState): void;
  /** Says a few words in the live region. */
  announce(news: string): void;
}
