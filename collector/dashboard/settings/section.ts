import type { ViewContext } from '../render/view.ts';
import type { Editor } from './editor.ts';
import type { Fields } from './fields.ts';
import type { StatusPanel } from './status-panel.ts';

/** What a section of the form needs. */
export interface SectionContext {
  readonly editor: Editor;
  readonly fields: Fields;
  readonly readOnly: boolean;
  /** Items to draw open: `target 3`. */
  readonly opened: Set<string>;
  readonly view: ViewContext;
  /** Created once and kept when the form is redrawn. */
  readonly status: { readonly alerts: StatusPanel; readonly reports: StatusPanel };
}
