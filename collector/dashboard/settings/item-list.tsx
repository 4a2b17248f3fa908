import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { idFor, otherIds } from '../model/item-id.ts';
import type { Json } from '../model/settings-diff.ts';
import { type Item, toItems, toText } from '../model/settings-path.ts';
import { texts } from '../text/settings.ts';
import { ParentProvider, useEditor, useSetting } from './editor.ts';

/** A list of the settings, with a key per item that stays the item's own when others are removed. */
function useItems(name: string) {
  const editor = useEditor();
  const { path, value } = useSetting(name);
  const items = toItems(value);
  const keys = useRef<number[]>([]);
  const next = useRef(0);
  // At first, and when the whole document was replaced.
  if (keys.current.length !== items.length) keys.current = items.map(() => next.current++);
  return {
    path,
    items: items.map((item, i) => ({ item, key: keys.current[i] ?? i })),
    add(item: Item) {
      keys.current = [...keys.current, next.current++];
      editor.set([...path, items.length], item);
    },
    remove(i: number) {
      keys.current = keys.current.filter((_, at) => at !== i);
      editor.set([...path, i], undefined);
    },
  };
}

interface ItemListProps {
  readonly name: string;
  /** Title of an item without name and id. */
  readonly untitled: string;
  /** Summary of a closed item. */
  note(item: Item, document: Json): string;
  /** Shown above an empty list. */
  readonly none?: string;
  /** Buttons by label; each creates an item. `freeId` makes an unused id from a word. */
  readonly add: Readonly<Record<string, (freeId: (word: string) => string) => Item>>;
  /** The fields of each item. */
  readonly children: ComponentChildren;
}

/** A list of collapsible items with their fields. */
export function ItemList({ name, untitled, note, none, add, children }: ItemListProps) {
  const { readOnly, draft } = useEditor();
  const list = useItems(name);
  const { items, path } = list;
  const added = useRef<number | null>(null);
  const buttons = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    added.current = null;
  });
  const append = (make: (typeof add)[string]) => {
    added.current = items.length;
    const taken = otherIds(
      items.map(({ item }) => item),
      null,
    );
    list.add(make((word) => idFor('', word, taken)));
  };
  return (
    <>
      {none !== undefined && items.length === 0 ? <p class="quiet">{none}</p> : null}
      <div class="items">
        {items.map(({ item, key }, i) => (
          <ParentProvider key={key} value={[...path, i]}>
            <CollapsibleItem
              title={toText(item.name) || toText(item.id) || untitled}
              note={note(item, draft.value)}
              added={added.current === i}
              remove={() => {
                list.remove(i);
                // The button with the focus is gone.
                buttons.current?.querySelector('button')?.focus();
              }}
            >
              {children}
            </CollapsibleItem>
          </ParentProvider>
        ))}
      </div>
      {readOnly ? null : (
        <p class="actions" ref={buttons}>
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
  remove(): void;
}

/** Errors are shown at fields, so the fields exist in closed items too. */
function CollapsibleItem({ title, note, added, remove, children }: CollapsibleItemProps) {
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
        <p class="actions">
          <RemoveButton remove={remove}>{texts.removeItem({ title })}</RemoveButton>
        </p>
      </div>
    </details>
  );
}

interface RemoveButtonProps {
  /** Accessible name where several buttons have the same text. */
  readonly label?: string;
  readonly children?: string;
  remove(): void;
}

export function RemoveButton({ label, remove, children = texts.remove }: RemoveButtonProps) {
  return useEditor().readOnly ? null : (
    <button type="button" class="plain danger" aria-label={label} onClick={remove}>
      {children}
    </button>
  );
}

function AddButton({ label, add }: { readonly label: string; add(): void }) {
  return useEditor().readOnly ? null : (
    <p class="actions">
      <button type="button" onClick={add}>
        {label}
      </button>
    </p>
  );
}

interface RowsProps {
  /** Of the list. */
  readonly name: string;
  /** A new item. */
  readonly first: Item;
  readonly addLabel: string;
  /** There is always one. */
  readonly required?: boolean;
  title(of: { readonly n: number }): string;
  removeLabel(of: { readonly n: number }): string;
  /** The fields of each row. */
  readonly children: ComponentChildren;
}

/** A list of items with a row of fields each. */
export function Rows({ name, first, addLabel, required = false, title, removeLabel, children }: RowsProps) {
  const { path, items, add, remove } = useItems(name);
  return (
    <>
      {items.map(({ key }, i) => (
        <ParentProvider key={key} value={[...path, i]}>
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a grid in every browser */}
          <div class="setting-row rule" role="group" aria-label={title({ n: i + 1 })}>
            {children}
            {required && items.length === 1 ? null : (
              <RemoveButton label={removeLabel({ n: i + 1 })} remove={() => remove(i)} />
            )}
          </div>
        </ParentProvider>
      ))}
      <AddButton label={addLabel} add={() => add(first)} />
    </>
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
  const { path, value, set } = useSetting(name);
  if (value !== undefined) return <ParentProvider value={path}>{children}</ParentProvider>;
  return (
    <>
      <p class="quiet">{none}</p>
      <AddButton label={add} add={() => set(first)} />
    </>
  );
}
