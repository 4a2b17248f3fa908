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
  /** After the draft has become what is in force. */
  saved(): void;
  /** The draft has faults: the reader is taken to the first. */
  faulty(): void;
}

export async function readSettings(client: ApiClient, signal?: AbortSignal): Promise<Loaded> {
  const { headers, document } = await client.send('/settings', signal === undefined ? {} : { signal });
  return { document: document as Json, etag: headers.get('etag') ?? '' };
}

/** Shows what is about to change, and saves it; somebody else's change in between is shown and kept. */
export function openReview(parts: ReviewContext): void {
  const dialog = openDialog();
  showReview(dialog, parts, null);
}

function showReview(dialog: Dialog, parts: ReviewContext, note: string | null): void {
  const { editor } = parts;
  dialog.fill(
    'Save these changes?',
    [note === null ? null : element('p', { class: 'notice' }, note), diffView(editor.base.document, editor.draft)],
    [{ label: 'Save', kind: 'primary', act: () => save(dialog, parts) }],
    'Keep editing',
  );
}

async function save(dialog: Dialog, parts: ReviewContext): Promise<boolean> {
  const { editor, client } = parts;
  try {
    const { headers, document } = await client.send('/settings', {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'if-match': editor.base.etag },
      body: JSON.stringify(editor.draft),
    });
    editor.replace(document as Json, { document: document as Json, etag: headers.get('etag') ?? '' });
    parts.saved();
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'precondition_failed') {
      await showConflict(dialog, parts);
      return false;
    }
    if (error instanceof ApiError && error.code === 'invalid_settings') {
      await editor.check();
      parts.faulty();
      return true;
    }
    throw new Error(describeError(error));
  }
}

/** Somebody else was faster: their change, and where both changed the same. */
async function showConflict(dialog: Dialog, parts: ReviewContext): Promise<void> {
  const { editor, client } = parts;
  const theirs = await readSettings(client);
  const author = await lastAuthor(client);
  const { document, conflicts } = mergeSettings(editor.base.document, editor.draft, theirs.document);
  const both = conflicts.map((path) => path.join(' › ') || 'the whole document');
  dialog.fill(
    'Someone else changed the settings meanwhile',
    [
      element('p', {}, `${author === '' ? 'Somebody' : `“${author}”`} saved this after you had opened the page:`),
      diffView(editor.base.document, theirs.document),
      both.length === 0
        ? element('p', {}, 'You changed other things: both changes can stand.')
        : element('p', { class: 'notice' }, `You both changed ${both.join(', ')}. If you go on, yours stands there.`),
    ],
    [
      {
        label: 'Put my changes on top',
        kind: 'primary',
        async act() {
          editor.replace(document ?? editor.draft, theirs);
          showReview(dialog, parts, 'These are your changes to the newest settings.');
          return false;
        },
      },
      {
        label: 'Take theirs, drop mine',
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
