import { computed, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { SettingsProblem } from '../../../shared/settings/settings-problem.ts';
import type { ApiClient } from '../api/api-client.ts';
import { isSame, type Json } from '../model/settings-diff.ts';
import { itemsOf, type SettingsPath, valueAt, withValue } from '../model/settings-path.ts';

/** The collector validates the draft this long after the last key press, ms. */
const CHECK_AFTER = 250;

/** The collector's settings and their ETag. */
export interface Loaded {
  readonly document: Json;
  readonly etag: string;
}

/** The draft of the settings with its errors, and the settings it is based on. */
export type Editor = ReturnType<typeof createEditor>;

export function createEditor(client: ApiClient, loaded: Loaded, readOnly: boolean) {
  const base = signal(loaded);
  const draft = signal(loaded.document);
  const problems = signal<readonly SettingsProblem[]>([]);
  /** The pointers of the fields on the page, by the id of the field. */
  const fields = signal<ReadonlyMap<string, string>>(new Map());
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;

  /** The id of the field with the problem's path, or of its nearest parent; undefined if there is none. */
  function fieldOf({ path }: SettingsProblem): string | undefined {
    return [...fields.value]
      .filter(([, pointer]) => path === pointer || path.startsWith(`${pointer}/`))
      .sort(([, one], [, other]) => other.length - one.length)[0]?.[0];
  }

  /** Resolves with the errors of the newest draft. */
  async function check(): Promise<readonly SettingsProblem[]> {
    clearTimeout(timer);
    const mine = ++asked;
    const answer = await client.post<{ readonly problems: readonly SettingsProblem[] }>('/settings/check', draft.value);
    if (mine === asked) problems.value = answer.problems;
    return problems.value;
  }

  function checkSoon(): void {
    clearTimeout(timer);
    asked++;
    timer = setTimeout(() => {
      check().catch(() => {
        // In the background; saving validates again and reports errors.
      });
    }, CHECK_AFTER);
  }

  return {
    readOnly,
    base,
    draft,
    problems,
    changed: computed(() => !isSame(base.value.document, draft.value)),
    /** Errors by the id of their field; the key of those without a field is undefined. */
    placed: computed(() => {
      const placed = new Map<string | undefined, SettingsProblem[]>();
      for (const problem of problems.value) {
        const id = fieldOf(problem);
        placed.set(id, [...(placed.get(id) ?? []), problem]);
      }
      return placed;
    }),
    /** Shows the errors of this path at this field until the returned function is called. */
    addField(id: string, pointer: string): () => void {
      fields.value = new Map(fields.peek()).set(id, pointer);
      return () => {
        const others = new Map(fields.peek());
        others.delete(id);
        fields.value = others;
      };
    },
    value: (path: SettingsPath) => valueAt(draft.value, path),
    set(path: SettingsPath, value: Json | undefined): void {
      draft.value = withValue(draft.value, path, value);
      checkSoon();
    },
    /** Replaces the draft, and the base if given. */
    replace(next: Json, nextBase: Loaded = base.value): void {
      base.value = nextBase;
      draft.value = next;
      problems.value = [];
      checkSoon();
    },
    check,
    /** True if this list item is the same on the server as in the draft. */
    isSaved(path: SettingsPath): boolean {
      const mine = valueAt(draft.value, path);
      return itemsOf(valueAt(base.value.document, path.slice(0, -1))).some((known) => isSame(known, mine));
    },
  };
}

const Editing = createContext<Editor | null>(null);
export const EditorProvider = Editing.Provider;

export function useEditor(): Editor {
  const editor = useContext(Editing);
  if (editor === null) throw new Error('There are no settings here.');
  return editor;
}

const Parent = createContext<SettingsPath>([]);
/** Setting names inside it are relative to this path. */
export const ParentProvider = Parent.Provider;

/** The part of the draft with a name such as `steps/0/url`; without a name, the parent itself. */
export function useSetting(name = '') {
  const editor = useEditor();
  const steps = name.split('/').filter((step) => step !== '');
  const path = [...useContext(Parent), ...steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step))];
  return { path, value: editor.value(path), set: (value: Json | undefined) => editor.set(path, value) };
}
