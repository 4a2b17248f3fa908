import { useState } from 'preact/hooks';
import { idFor, otherIds, withId } from '../model/item-id.ts';
import { toItems, toText, valueAt, withValue } from '../model/settings-path.ts';
import { texts } from '../text/settings.ts';
import { useEditor, useSetting } from './editor.ts';
import { TextField } from './fields.tsx';

interface NameFieldProps {
  /** The id of an item whose name has no letter that an id may have. */
  readonly word: string;
  readonly placeholder?: string;
}

/** The name of a list item, and its id, which follows the name until it is changed by hand or saved. */
export function NameField({ word, placeholder }: NameFieldProps) {
  const editor = useEditor();
  const { path } = useSetting();
  const [byHand, setByHand] = useState(false);
  const list = path.slice(0, -1);
  const id = toText(useSetting('id').value);
  const name = toText(useSetting('name').value);
  const isSaved = toItems(valueAt(editor.base.value.document, list)).some((item) => item.id === id);
  const others = otherIds(toItems(editor.value(list)), Number(path.at(-1)));
  const follows = !byHand && !isSaved && id === idFor(name, word, others);
  const rename = (next: string) => {
    const named = withValue(editor.draft.value, [...path, 'name'], next || undefined);
    editor.change([...path, 'name'], follows ? withId(named, path, idFor(next, word, others)) : named);
  };
  const hint = `${texts.idIs} `;
  return (
    <div class="setting-row name-row">
      <TextField name="name" placeholder={placeholder ?? (isSaved ? id : '')} change={rename} />
      {isSaved || editor.readOnly ? (
        <p class="quiet small item-id">
          {hint}
          <code>{id}</code>
        </p>
      ) : byHand ? (
        <TextField
          name="id"
          change={(next) => editor.change([...path, 'id'], withId(editor.draft.value, path, next))}
        />
      ) : (
        <p class="quiet small item-id">
          {hint}
          <code>{id}</code>{' '}
          <button type="button" class="plain" onClick={() => setByHand(true)}>
            {texts.changeId}
          </button>
        </p>
      )}
    </div>
  );
}
