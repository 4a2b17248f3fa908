import type { ApiClient } from '../api/api-client.ts';
import { ApiError } from '../api/api-error.ts';
import { describeError } from '../api/describe-error.ts';
import { type Json, mergeSettings } from '../model/settings-diff.ts';
import { element } from '../render/element.ts';
import { type Dialog, openDialog } from './dialog.ts';
import { diffView } from './diff-view.ts';
import type { Editor, Loaded } from './editor.ts';

export interface ReviewContext {
  readonly editor: Editor;
  readonly client: ApiClient;
  /** Called after the draft was saved. */
  saved(): void;
  /** Called if the draft has errors, to show the first one. */
  showErrors(): void;
}

export async function readSettings(client: ApiClient): Promise<Loaded> {
  const { headers, document } = await client.send('/settings', {});
  return { document: document as Json, etag: headers.get('etag') ?? '' };
}

/** Shows the changes and saves them; a concurrent change by another user is shown and kept. */
export function openReview(context: ReviewContext): void {
  const dialog = openDialog();
  showReview(dialog, context, null);
}

function showReview(dialog: Dialog, context: ReviewContext, note: string | null): void {
  const { editor } = context;
  dialog.fill(
    'Save these changes?',
    [note === null ? null : element('p', { class: 'notice' }, note), diffView(editor.base.document, editor.draft)],
    [{ label: 'Save', kind: 'primary', act: () => save(dialog, context) }],
    'Keep editing',
  );
}

async function save(dialog: Dialog, context: ReviewContext): Promise<boolean> {
  const { editor, client } = context;
  try {
    const { headers, document } = await client.send('/settings', {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'if-match': editor.base.etag },
      body: JSON.stringify(editor.draft),
    });
    editor.replace(document as Json, { document: document as Json, etag: headers.get('etag') ?? '' });
    context.saved();
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'precondition_failed') {
      await showConflict(dialog, context);
      return false;
    }
    if (error instanceof ApiError && error.code === 'invalid_settings') {
      await editor.check();
      context.showErrors();
      return true;
    }
    throw new Error(describeError(error));
  }
}

/** Another user saved first: shows their change, and where both changed the same. */
async function showConflict(dialog: Dialog, context: ReviewContext): Promise<void> {
  const { editor, client } = context;
  const theirs = await readSettings(client);
  const author = await lastAuthor(client);
  const { document, conflicts } = mergeSettings(editor.base.document, editor.draft, theirs.document);
  const both = conflicts.map((path) => path.join(' › ') || 'the whole document');
  dialog.fill(
    'The settings have changed in the meantime',
    [
      element('p', {}, `${author === '' ? 'Someone' : `“${author}”`} saved these changes after you opened the page:`),
      diffView(editor.base.document, theirs.document),
      both.length === 0
        ? element('p', {}, 'Your changes are in other places and can be combined with these.')
        : element(
            'p',
            { class: 'notice' },
            `You both changed ${both.join(', ')}. If you apply your changes, they replace the others there.`,
          ),
    ],
    [
      {
        label: 'Apply my changes on top',
        kind: 'primary',
        async act() {
          editor.replace(document ?? editor.draft, theirs);
          showReview(dialog, context, 'These are your changes to the latest settings.');
          return false;
        },
      },
      {
        label: 'Discard my changes',
        async act() {
          editor.replace(theirs.document, theirs);
          return true;
        },
      },
    ],
    'Keep editing',
  );
}

async function lastAuthor(client: ApiClient): Promise<string> {
  const { revisions } = await client.read<{ revisions: readonly { author: string }[] }>('/settings/revisions');
  return revisions[0]?.author ?? '';
}
