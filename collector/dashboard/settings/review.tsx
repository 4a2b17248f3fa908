import { useState } from 'preact/hooks';
import type { RevisionsAnswer } from '../../http/schemas/control-answers.ts';
import type { ApiClient } from '../api/api-client.ts';
import { ApiError } from '../api/api-error.ts';
import { describeError } from '../api/describe-error.ts';
import { usePage } from '../app/page-context.ts';
import { Dialog } from '../components/dialog.tsx';
import { changedParts, type Json, type Merged, mergeSettings } from '../model/settings-diff.ts';
import { texts } from '../text/settings.ts';
import { Diff } from './diff.tsx';
import { type Loaded, useEditor } from './editor.ts';

const words = texts.saving;

export async function readSettings(client: ApiClient): Promise<Loaded> {
  const { headers, document } = await client.send('/settings', {});
  return { document: document as Json, etag: headers.get('etag') ?? '' };
}

/** Another user saved first. */
interface Conflict {
  readonly theirs: Loaded;
  readonly author: string;
  readonly merged: Merged;
}

interface ReviewProps {
  /** Called after the draft was saved, with the parts of the document that changed. */
  saved(changed: readonly string[]): void;
  /** Called if the draft has errors, to show the first one. */
  showErrors(): void;
  onClose(): void;
}

/** Shows the changes and saves them; a concurrent change by another user is shown and kept. */
export function Review({ saved, showErrors, onClose }: ReviewProps) {
  const { client } = usePage();
  const editor = useEditor();
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [combined, setCombined] = useState(false);

  async function save(): Promise<boolean> {
    try {
      const { headers, document } = await client.send('/settings', {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'if-match': editor.base.value.etag },
        body: JSON.stringify(editor.draft.value),
      });
      const before = editor.base.value.document;
      editor.replace(document as Json, { document: document as Json, etag: headers.get('etag') ?? '' });
      saved(changedParts(before, document as Json));
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'precondition_failed') {
        const theirs = await readSettings(client);
        const { revisions } = await client.read<RevisionsAnswer>('/settings/revisions');
        const merged = mergeSettings(editor.base.value.document, editor.draft.value, theirs.document);
        setConflict({ theirs, author: revisions[0]?.author ?? '', merged });
        return false;
      }
      if (error instanceof ApiError && error.code === 'invalid_settings') {
        await editor.attempt();
        showErrors();
        return true;
      }
      throw new Error(describeError(error));
    }
  }

  if (conflict === null) {
    return (
      <Dialog
        title={words.question}
        actions={[{ label: words.save, kind: 'primary', act: save }]}
        cancel={words.keepEditing}
        onClose={onClose}
      >
        {combined ? <p class="notice">{words.combined}</p> : null}
        <Diff before={editor.base.value.document} after={editor.draft.value} />
      </Dialog>
    );
  }
  const { theirs, author, merged } = conflict;
  const both = merged.conflicts.map((path) => path.join(' › ') || texts.diff.whole);
  return (
    <Dialog
      title={words.conflict}
      actions={[
        {
          label: words.onTop,
          kind: 'primary',
          async act() {
            editor.replace(merged.document ?? editor.draft.value, theirs);
            setCombined(true);
            setConflict(null);
            return false;
          },
        },
        {
          label: words.discardMine,
          async act() {
            editor.replace(theirs.document, theirs);
            return true;
          },
        },
      ]}
      cancel={words.keepEditing}
      onClose={onClose}
    >
      <p>{words.theirs({ author })}</p>
      <Diff before={editor.base.value.document} after={theirs.document} />
      {both.length === 0 ? (
        <p>{words.combinable}</p>
      ) : (
        <p class="notice">{words.bothChanged({ places: both.join(', ') })}</p>
      )}
    </Dialog>
  );
}
