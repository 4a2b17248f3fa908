import { computed, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { DocumentProblem } from '../../../shared/vocabulary/document-problem.ts';
import type { ApiClient } from '../api/api-client.ts';
import { isSame, type Json } from '../model/settings-diff.ts';
import { type SettingsPath, toItems, toPointer, toText, valueAt, withValue } from '../model/settings-path.ts';

/** The collector's settings and their ETag. */
export interface Loaded {
  readonly document: Json;
  readonly etag: string;
}

/** The last save, until the next change. */
export interface Saved {
  /** Epoch ms. */
  readonly at: number;
  /** Names at the top of the document. */
  readonly changed: readonly string[];
}

/** The draft of the settings with its errors, and the settings it is based on. */
export type Editor = ReturnType<typeof createEditor>;

export function createEditor(client: ApiClient, loaded: Loaded, readOnly: boolean) {
  const base = signal(loaded);
  const draft = signal(loaded.document);
  const problems = signal<readonly DocumentProblem[]>([]);
  /** The pointers of the fields on the page, by the id of the field. */
  const fields = signal<ReadonlyMap<string, string>>(new Map());
  /** Pointers of the fields that were left, so that errors are not shown before something was entered. */
  const left = signal<ReadonlySet<string>>(new Set());
  /** Saving was attempted, or a document was entered as JSON: every error is shown. */
  const attempted = signal(false);
  const saved = signal<Saved | null>(null);
  let isPressed = false;
  const leftWhilePressed: string[] = [];
  let asked = 0;
  let running: { readonly document: Json; readonly found: Promise<readonly DocumentProblem[]> } | null = null;
  let checked: Json | undefined;

  /** The id of the field with the problem's path, or of its nearest parent; undefined if there is none. */
  function fieldOf({ path }: DocumentProblem): string | undefined {
    return [...fields.value]
      .filter(([, pointer]) => isWithin(path, pointer))
      .sort(([, one], [, other]) => other.length - one.length)[0]?.[0];
  }

  function isShown({ path }: DocumentProblem): boolean {
    return attempted.value || [...left.value].some((pointer) => isWithin(path, pointer));
  }

  /** Resolves with the errors of the newest draft. Saving may begin while a field that was left is being checked. */
  function check(): Promise<readonly DocumentProblem[]> {
    if (running?.document === draft.value) return running.found;
    const mine = { document: draft.value, found: ask() };
    running = mine;
    const end = () => {
      if (running === mine) running = null;
    };
    mine.found.then(end, end);
    return mine.found;
  }

  async function ask(): Promise<readonly DocumentProblem[]> {
    const mine = ++asked;
    const document = draft.value;
    const answer = await client.post<{ readonly problems: readonly DocumentProblem[] }>('/settings/check', document);
    if (mine !== asked) return problems.value;
    checked = document;
    problems.value = answer.problems.flatMap(atMissing);
    return problems.value;
  }

  /** In the background; saving validates again and reports errors. */
  function checkQuietly(): void {
    check().catch(() => {});
  }

  /** Positions in lists have moved, so errors and fields that were left no longer belong to their pointers. */
  function forget(): void {
    left.value = new Set();
    problems.value = [];
    checked = undefined;
  }

  /** `path` is what is being edited: whether its errors still hold is looked for when its field is left. */
  function put(next: Json, path?: SettingsPath): void {
    asked++;
    if (path !== undefined) {
      const pointer = toPointer(path);
      problems.value = problems.value.filter((problem) => !isWithin(problem.path, pointer));
    }
    draft.value = next;
    saved.value = null;
  }

  const shown = computed(() => problems.value.filter(isShown));

  return {
    readOnly,
    base,
    draft,
    /** Those of the last check; `shown` are those that are not too early to show. */
    problems,
    shown,
    saved,
    changed: computed(() => !isSame(base.value.document, draft.value)),
    /** Errors by the id of their field; the key of those without a field is undefined. */
    placed: computed(() => {
      const placed = new Map<string | undefined, DocumentProblem[]>();
      for (const problem of shown.value) {
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
    /** Errors of this setting are hidden until its field is left. */
    set(path: SettingsPath, value: Json | undefined): void {
      if (value === undefined && typeof path.at(-1) === 'number') forget();
      put(withValue(draft.value, path, value), path);
    },
    /** As `set`, where the change of this setting changes others too. */
    change(path: SettingsPath, document: Json): void {
      put(document, path);
    },
    /** Replaces the draft, and the base if given. */
    replace(next: Json, nextBase: Loaded = base.value): void {
      forget();
      attempted.value = false;
      base.value = nextBase;
      put(next);
    },
    /** Replaces the draft with a document entered as JSON. Its fields are never left one by one, so every error is shown. */
    enter(next: Json): void {
      this.replace(next);
      attempted.value = true;
      checkQuietly();
    },
    wasLeft: (path: SettingsPath) => left.value.has(toPointer(path)),
    /** A field was left: its errors are looked for and shown. */
    leave(pointer: string): void {
      if (isPressed) {
        leftWhilePressed.push(pointer);
        return;
      }
      if (readOnly || draft.value === base.value.document) return;
      left.value = new Set(left.value).add(pointer);
      if (checked !== draft.value) checkQuietly();
    },
    /** A mouse button or finger is down: an error that appeared now would move what is being clicked. */
    press(): void {
      isPressed = true;
    },
    /** To be called after the click. */
    release(): void {
      isPressed = false;
      for (const pointer of leftWhilePressed.splice(0)) this.leave(pointer);
    },
    /** Looks for errors, and from now on shows those of every field. */
    async attempt(): Promise<readonly DocumentProblem[]> {
      const found = await check();
      attempted.value = found.length > 0;
      return found;
    },
    /** True if this list item is the same on the server as in the draft. */
    isSaved(path: SettingsPath): boolean {
      const mine = valueAt(draft.value, path);
      return toItems(valueAt(base.value.document, path.slice(0, -1))).some((known) => isSame(known, mine));
    },
  };
}

/** Errors of properties that are missing are those of their fields, which exist. */
function atMissing(problem: DocumentProblem): readonly DocumentProblem[] {
  const { code, path, values } = problem;
  if (code !== 'required' || values?.names === undefined) return [problem];
  return String(values.names)
    .split(', ')
    .map((name) => ({ ...problem, path: `${path}/${name}` }));
}

function isWithin(path: string, pointer: string): boolean {
  return path === pointer || path.startsWith(`${pointer}/`);
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

/** The items of a list as choices of another setting. */
export function useItemOptions(list: SettingsPath): readonly (readonly [id: string, name: string])[] {
  return toItems(useEditor().value(list)).map(({ id, name }) => [toText(id), toText(name) || toText(id)]);
}
