import { useSignalEffect } from '@preact/signals';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/api-error.ts';
import { describeError } from '../api/describe-error.ts';
import { SIGNING_OUT, usePage } from '../app/page-context.ts';
import type { View } from '../app/view.ts';
import { FailedView, Loading } from '../components/states.tsx';
import { ViewHead } from '../components/view-head.tsx';
import { type Json, settingsDiff } from '../model/settings-diff.ts';
import { texts } from '../text/settings.ts';
import { Alerts } from './alerts.tsx';
import { CollectorState } from './collector-state.tsx';
import { DataSection } from './data-section.tsx';
import { createEditor, type Editor, EditorProvider, useEditor } from './editor.ts';
import { problemText } from './fields.tsx';
import { History } from './history.tsx';
import { JsonSection } from './json-section.tsx';
import { Keys } from './keys.tsx';
import { Probes } from './probe-section.tsx';
import { Reports } from './reports.tsx';
import { Review, readSettings } from './review.tsx';
import { SavedChanges } from './saved-changes.tsx';
import { Targets } from './targets.tsx';

const words = texts.saving;

/** Unsaved changes are kept while other views are open. */
let kept: Editor | null = null;

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  if (kept?.changed.value) event.preventDefault();
}

function markUnsaved(unsaved: boolean): void {
  document.documentElement.toggleAttribute('data-unsaved', unsaved);
}

/** The next user must neither see nor save the changes of this one. */
function askBeforeSigningOut(event: Event): void {
  if (!kept?.changed.value) return;
  if (confirm(words.signOutAnyway)) {
    kept = null;
    markUnsaved(false);
  } else event.preventDefault();
}

/** Targets, probes, alerts, reports, exclusion rules, retention, keys and history; read-only for viewers. */
export const settings: View = {
  title: () => texts.title,
  View() {
    const { client, role, announce } = usePage();
    const [loaded, setLoaded] = useState<{ readonly editor?: Editor; readonly error?: unknown }>({});
    const load = useCallback(async () => {
      setLoaded({});
      try {
        const newest = await readSettings(client);
        const unsaved = role === 'admin' && kept?.changed.value ? kept : null;
        const editor = unsaved ?? createEditor(client, newest, role !== 'admin');
        kept = role === 'admin' ? editor : null;
        setLoaded({ editor });
      } catch (error) {
        // The session has ended: reload to show the sign-in form.
        if (error instanceof ApiError && error.status === 401) location.reload();
        else setLoaded({ error });
      }
    }, [client, role]);
    useEffect(() => void load(), [load]);
    // Both stay while other views are open, as the changes do.
    useEffect(() => {
      window.addEventListener('beforeunload', askBeforeLeaving);
      window.addEventListener(SIGNING_OUT, askBeforeSigningOut);
    }, []);
    useEffect(
      () => () => {
        if (kept?.changed.value) announce(words.keptUnsaved);
      },
      [announce],
    );
    return (
      <div class="settings">
        {loaded.editor !== undefined ? (
          <EditorProvider value={loaded.editor}>
            <SettingsForm />
          </EditorProvider>
        ) : 'error' in loaded ? (
          <FailedView error={loaded.error} retry={() => void load()} />
        ) : (
          <Loading shape="view" />
        )}
      </div>
    );
  },
};

/** By their name in `?view=settings&part=probes`, which links to a section. */
const SECTIONS = Object.entries({
  targets: Targets,
  probes: Probes,
  alerts: Alerts,
  reports: Reports,
  data: DataSection,
  json: JsonSection,
});

/** The whole page: form, keys, history, and a bar while there are unsaved changes. */
function SettingsForm() {
  const { state, cache, now, announce } = usePage();
  const editor = useEditor();
  const bar = useRef<HTMLElement>(null);
  const [reviewing, setReviewing] = useState(false);
  const [failure, setFailure] = useState({ text: '', draft: null as Json });

  const { part } = state.own;
  // The mark at the view's name, which stays when another view is opened.
  useSignalEffect(() => markUnsaved(editor.changed.value));
  useLayoutEffect(() => {
    if (part !== undefined) document.querySelector(`[data-part="${CSS.escape(part)}"]`)?.scrollIntoView();
  }, [part]);

  useEffect(() => {
    const press = () => editor.press();
    // After the click, which follows in the same task.
    const release = () => setTimeout(() => editor.release());
    window.addEventListener('pointerdown', press);
    for (const end of ['pointerup', 'pointercancel']) window.addEventListener(end, release);
    return () => {
      window.removeEventListener('pointerdown', press);
      for (const end of ['pointerup', 'pointercancel']) window.removeEventListener(end, release);
    };
  }, [editor]);

  async function review(): Promise<void> {
    try {
      if ((await editor.attempt()).length > 0) showErrors();
      else setReviewing(true);
    } catch (error) {
      announce(describeError(error));
      setFailure({ text: ` · ${describeError(error)}`, draft: editor.draft.value });
    }
  }

  function showErrors(): void {
    announce(words.fixFirst({ n: editor.problems.value.length }));
    if (!focusFirstError(editor)) bar.current?.scrollIntoView({ block: 'end' });
  }

  function saved(changed: readonly string[]): void {
    announce(words.saved);
    for (const key of ['/settings', '/alerts', '/packages', '/report-runs', '/settings/revisions']) cache.reread(key);
    editor.saved.value = { at: now(), changed };
  }

  function restore(document: Json): void {
    editor.replace(document);
    if (editor.changed.value) void review();
    else announce(texts.history.alreadyCurrent);
  }

  return (
    <>
      <ViewHead title={texts.title} lead={editor.readOnly ? texts.readOnlyLead : texts.lead} />
      <CollectorState />
      <div class="settings-form">
        {SECTIONS.map(([name, Section]) => (
          <div key={name} data-part={name}>
            <Section />
          </div>
        ))}
      </div>
      <div class="settings-form">
        {editor.readOnly ? null : (
          <div data-part="keys">
            <Keys />
          </div>
        )}
        <div data-part="history">
          <History restore={editor.readOnly ? null : restore} />
        </div>
      </div>
      <section
        ref={bar}
        class="save-bar"
        aria-label={words.bar}
        hidden={!editor.changed.value && editor.saved.value === null}
      >
        {editor.changed.value ? (
          <UnsavedChanges failure={failure.draft === editor.draft.value ? failure.text : ''} review={review} />
        ) : editor.saved.value === null ? null : (
          <SavedChanges {...editor.saved.value} />
        )}
      </section>
      {reviewing ? <Review saved={saved} showErrors={showErrors} onClose={() => setReviewing(false)} /> : null}
    </>
  );
}

interface UnsavedChangesProps {
  /** Why the draft could not be validated. */
  readonly failure: string;
  review(): void;
}

function UnsavedChanges({ failure, review }: UnsavedChangesProps) {
  const editor = useEditor();
  const base = editor.base.value.document;
  const errors = editor.shown.value.length;
  return (
    <>
      <p role="status">
        <strong>{words.changes({ n: settingsDiff(base, editor.draft.value).length })}</strong>
        <span class={errors > 0 ? 'problem' : 'quiet'}>
          {failure || (errors === 0 ? '' : ` · ${words.errors({ n: errors })}`)}
        </span>
        {editor.placed.value.get(undefined)?.map((problem) => (
          <span key={`${problem.path} ${problem.message}`} class="problem small block">
            {problemText(problem)}
          </span>
        ))}
      </p>
      <p class="actions">
        <button type="button" class="primary" onClick={review}>
          {words.review}
        </button>
        <button type="button" onClick={() => editor.replace(base)}>
          {words.discard}
        </button>
      </p>
    </>
  );
}

/** Moves the focus to the first field with an error; false if there is none. */
function focusFirstError({ placed }: Editor): boolean {
  const fields = [...placed.value.keys()].map((id) => (id === undefined ? null : document.getElementById(id)));
  const [field] = fields
    .filter((one) => one !== null)
    .sort((one, other) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  if (field === undefined) return false;
  for (let box = field.closest('details'); box !== null; box = box.parentElement?.closest('details') ?? null) {
    box.open = true;
  }
  (field.querySelector('input') ?? field).focus();
  return true;
}
