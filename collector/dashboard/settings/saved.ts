import { isSame } from '../model/settings-diff.ts';
import { type SettingsPath, valueAt } from '../model/settings-path.ts';
import type { Editor } from './editor.ts';
import { listOf } from './targets-section.ts';

/** Why the server cannot act on the item of a list yet: it only knows what was saved. Null where it can. */
export function saved(editor: Editor, list: SettingsPath, place: number): string | null {
  const mine = listOf(editor.value(list))[place];
  const known = listOf(valueAt(editor.base.document, list)).find(({ id }) => id === mine?.id);
  return known !== undefined && isSame(known, mine) ? null : 'Save it first: the server acts on what is saved.';
}
