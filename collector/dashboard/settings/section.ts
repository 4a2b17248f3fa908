import type { Editor } from './editor.ts';
import type { Fields } from './fields.ts';

/** What a section of the form is made with. */
export interface SectionParts {
  readonly editor: Editor;
  readonly fields: Fields;
  readonly readOnly: boolean;
  /** Items that are to be open when they are drawn: `target 3`. */
  readonly opened: Set<string>;
}
