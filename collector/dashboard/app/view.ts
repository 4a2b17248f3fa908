import type { ComponentType } from 'preact';
import type { AppNames } from '../model/value-label.ts';
import type { ViewQuery } from '../query-cache/query-state.ts';
import type { ViewState } from '../state/view-state.ts';
import type { PageContext } from './page-context.ts';

/** An entry of the table of views. */
export interface ViewEntry {
  /** The value of `?view=`. */
  readonly name: string;
  /** Label in the navigation; null hides the view there. */
  readonly label: string | null;
  /** Shows a time range with filters: their controls are above it. */
  readonly ranged: boolean;
  /** Has a table with the id `rows`. */
  readonly rows?: true;
  /** On demand, so that the first load contains the first view only. */
  load(): Promise<View>;
}

export interface View {
  /** Window title. */
  title(state: ViewState, names: AppNames): string;
  /** The view's first query, sent before the session's role is known: the collector checks it anyway. */
  first?(context: Pick<PageContext, 'state' | 'client' | 'now'>): ViewQuery<unknown>;
  readonly View: ComponentType;
}
