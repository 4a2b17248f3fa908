import type { ViewContext } from '../router/view.ts';
import type { Editor } from './editor.ts';
import type { Fields } from './fields.ts';

/** What a section of the form is made with. */
export interface SectionParts {
  readonly editor: Editor;
  readonly fields: Fields;
  readonly readOnly: boolean;
  /** Items that are to be open when they are drawn: `target 3`. */
  readonly opened: Set<string>;
  readonly view: ViewContext;
  /** What became of alerts and reports so far; read once, whatever the form is drawn anew for. */
  readonly standing: Standing;
}

/** A part of the page that tells what the server did, and can be asked to read it again. */
export interface Told {
  readonly element: HTMLElement;
  refresh(): void;
}

export interface Standing {
  readonly alerts: Told;
  readonly reports: Told;
}
