import type { SettingsProblem } from '../../../shared/settings/settings-problem.ts';
import type { ApiClient } from '../api/api-client.ts';
import { isSame, type Json } from '../model/settings-diff.ts';
import { type SettingsPath, valueAt, withValue } from '../model/settings-path.ts';

/** The collector validates the draft this long after the last key press, ms. */
const CHECK_AFTER = 250;

/** The collector's settings and their ETag. */
export interface Loaded {
  readonly document: Json;
  readonly etag: string;
}

/** The draft of the settings with its errors, and the settings it is based on. */
export interface Editor {
  readonly base: Loaded;
  readonly draft: Json;
  readonly problems: readonly SettingsProblem[];
  readonly changed: boolean;
  value(path: SettingsPath): Json | undefined;
  /** `shape`: items were added or removed, so the form must be redrawn. */
  set(path: SettingsPath, value: Json | undefined, shape?: boolean): void;
  /** Replaces the draft, and the base if given. */
  replace(draft: Json, base?: Loaded): void;
  /** Resolves with the errors of the newest draft. */
  check(): Promise<readonly SettingsProblem[]>;
  listen(listener: EditorListener): void;
}

export interface EditorListener {
  /** A value, the errors or the base changed. */
  changed(): void;
  /** The form must be redrawn. */
  reshaped(): void;
}

export function createEditor(client: ApiClient, loaded: Loaded): Editor {
  let base = loaded;
  let draft = loaded.document;
  let problems: readonly SettingsProblem[] = [];
  let listener: EditorListener | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;

  async function check(): Promise<readonly SettingsProblem[]> {
    clearTimeout(timer);
    const mine = ++asked;
    const body = JSON.stringify(draft);
    const headers = { 'content-type': 'application/json' };
    const { document } = await client.send('/settings/check', { method: 'POST', headers, body });
    if (mine !== asked) return problems;
    problems = (document as { problems: readonly SettingsProblem[] }).problems;
    listener?.changed();
    return problems;
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
    get base() {
      return base;
    },
    get draft() {
      return draft;
    },
    get problems() {
      return problems;
    },
    get changed() {
      return !isSame(base.document, draft);
    },
    value: (path) => valueAt(draft, path),
    set(path, value, shape = false) {
      draft = withValue(draft, path, value);
      checkSoon();
      if (shape) listener?.reshaped();
      listener?.changed();
    },
    replace(next, nextBase = base) {
      base = nextBase;
      draft = next;
      problems = [];
      checkSoon();
      listener?.reshaped();
      listener?.changed();
    },
    check,
    listen(next) {
      listener = next;
    },
  };
}
