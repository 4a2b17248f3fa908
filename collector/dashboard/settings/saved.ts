import { isSame } from '../model/settings-diff.ts';
import { type SettingsPath, valueAt } from '../model/settings-path.ts';
import type { Editor } from './editor.ts';
import { listOf } from './targets-section.ts';

/** Why the server cannot act on a list's item yet: it only knows saved settings. Null if it can. */
export function whyNotSaved(editor: Editor, list: SettingsPath, index: number): string | null {
  const mine = listOf(editor.value(list))[index];
  const known = listOf(valueAt(editor.base.document, list)).find(({ id }) => id === mine?.id);
  return known !== undefined && isSame(known, mine) ? null : 'Save it first: the server uses the saved settings.';
}
