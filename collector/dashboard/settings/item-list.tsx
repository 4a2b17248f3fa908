import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Json } from '../model/settings-diff.ts';
import { type Item, itemsOf, newId, textOf } from '../model/settings-path.ts';
import { texts } from '../text/settings.ts';
import { ParentProvider, useEditor, useSetting } from './editor.ts';

interface ItemListProps {
  readonly name: string;
  /** Title of an item without name and id. */
  readonly untitled: string;
  /** Summary of a closed item. */
  note(item: Item): string;
  /** Shown above an empty list. */
  readonly none?: string;
  /** Buttons by label; each creates an item. `freeId` makes an unused id from a word. */
  readonly add: Readonly<Record<string, (freeId: (word: string) => string) => Item>>;
  /** The fields of each item. */
  readonly children: ComponentChildren;
}

/** A list of collapsible items with their fields. */
export function ItemList({ name, untitled, note, none, add, children }: ItemListProps) {
  const { readOnly } = useEditor();
  const { path, value, set } = useSetting(name);
  const items = itemsOf(value);
  const added = useRef<number | null>(null);
  useLayoutEffect(() => {
    added.current = null;
  });
  const append = (make: (typeof add)[string]) => {
    added.current = items.length;
    set([...items, make((word) => newId(word, items))]);
  };
  return (
    <>
      {none !== undefined && items.length === 0 ? <p class="quiet">{none}</p> : null}
      <div class="items">
        {items.map((item, i) => (
          <ParentProvider key={i} value={[...path, i]}>
            <CollapsibleItem
              title={textOf(item.name) || textOf(item.id) || untitled}
              note={note(item)}
              added={added.current === i}
            >
              {children}
            </CollapsibleItem>
          </ParentProvider>
        ))}
      </div>
      {readOnly ? null : (
        <p class="actions">
          {Object.entries(add).map(([label, make]) => (
            <button key={label} type="button" onClick={() => append(make)}>
              {label}
            </button>
          ))}
        </p>
      )}
    </>
  );
}

interface CollapsibleItemProps extends Pick<ItemListProps, 'children'> {
  readonly title: string;
  readonly note: string;
  /** Opens with the focus in its first field. */
  readonly added: boolean;
}

/** Errors are shown at fields, so the fields exist in closed items too. */
function CollapsibleItem({ title, note, added, children }: CollapsibleItemProps) {
  const ref = useRef<HTMLDetailsElement>(null);
  useLayoutEffect(() => {
    if (!added || ref.current === null) return;
    ref.current.open = true;
    ref.current.querySelector('input')?.focus();
  }, [added]);
  return (
    <details ref={ref} class="item" data-item={title}>
      <summary>
        <strong>{title}</strong>
        <span class="quiet small"> {note}</span>
      </summary>
      <div class="item-body">
        {children}
        <RemoveLine>{texts.removeItem({ title })}</RemoveLine>
      </div>
    </details>
  );
}

/** Removes the part of the settings that contains it. */
export function RemoveLine({ children }: { readonly children: string }) {
  return useEditor().readOnly ? null : (
    <p class="actions">
      <RemoveButton>{children}</RemoveButton>
    </p>
  );
}

/** With an accessible name where several buttons have the same text. */
export function RemoveButton({
  name,
  label,
  children = texts.remove,
}: Partial<Record<'name' | 'label' | 'children', string>>) {
  const { set } = useSetting(name);
  return useEditor().readOnly ? null : (
    <button type="button" class="plain danger" aria-label={label} onClick={() => set(undefined)}>
      {children}
    </button>
  );
}

/** Adds a part of the settings with its first value. */
export function AddButton({ name, value, label }: { name: string; value: Json; label: string }) {
  const { set } = useSetting(name);
  return useEditor().readOnly ? null : (
    <p class="actions">
      <button type="button" onClick={() => set(value)}>
        {label}
      </button>
    </p>
  );
}

interface OptionalPartProps {
  readonly name: string;
  /** Shown while the settings do not have this part. */
  readonly none: string;
  /** Label of the button that adds it with its first value. */
  readonly add: string;
  readonly first: Json;
  readonly children: ComponentChildren;
}

export function OptionalPart({ name, none, add, first, children }: OptionalPartProps) {
  const { path, value } = useSetting(name);
  if (value !== undefined) return <ParentProvider value={path}>{children}</ParentProvider>;
  return (
    <>
      <p class="quiet">{none}</p>
      <AddButton name={name} value={first} label={add} />
    </>
  );
}
