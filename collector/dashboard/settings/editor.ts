import type { SettingsProblem } from '../../../shared/settings/settings-problem.ts';
import type { ApiClient } from '../api/api-client.ts';
import { isSame, type Json } from '../model/settings-diff.ts';
import { type SettingsPath, valueAt, withValue } from '../model/settings-path.ts';

/** After the last key press, ms: the collector judges what was typed. */
const CHECK_AFTER = 250;

/** What the collector has, and the ETag that names it. */
export interface Loaded {
  readonly document: Json;
  readonly etag: string;
}

/** The draft of the settings: what is typed, what is wrong with it, and what it was made from. */
export interface Editor {
  readonly base: Loaded;
  readonly draft: Json;
  readonly problems: readonly SettingsProblem[];
  readonly changed: boolean;
  /** A check is under way, or its result is not of the newest draft. */
  readonly checking: boolean;
  value(path: SettingsPath): Json | undefined;
  /** `shape`: parts came or went, so the form has to be drawn anew. */
  set(path: SettingsPath, value: Json | undefined, shape?: boolean): void;
  /** Another draft as a whole; another base too where it is given. */
  replace(draft: Json, base?: Loaded): void;
  /** Resolves with what is wrong with the newest draft. */
  check(): Promise<readonly SettingsProblem[]>;
  listen(listener: EditorListener): void;
}

export interface EditorListener {
  /** A value, the problems or the base changed. */
  changed(): void;
  /** The form has to be drawn anew. */
  reshaped(): void;
}

export function createEditor(client: ApiClient, loaded: Loaded): Editor {
  let base = loaded;
  let draft = loaded.document;
  let problems: readonly SettingsProblem[] = [];
  let listener: EditorListener | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  let checked = 0;

  async function check(): Promise<readonly SettingsProblem[]> {
    clearTimeout(timer);
    const mine = ++asked;
    const body = JSON.stringify(draft);
    const headers = { 'content-type': 'application/json' };
    const { document } = await client.send('/settings/check', { method: 'POST', headers, body });
    if (mine !== asked) return problems;
    checked = mine;
    problems = (document as { problems: readonly SettingsProblem[] }).problems;
    listener?.changed();
    return problems;
  }

  function checkSoon(): void {
    clearTimeout(timer);
    asked++;
    timer = setTimeout(() => {
      check().catch(() => {
        // Nobody asked for this one by hand; saving judges again, and says what went wrong.
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
    get checking() {
      return checked !== asked;
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
