import { useState } from 'preact/hooks';
import type { SavedView } from '../../http/schemas/control-answers.ts';
import { describeError } from '../api/describe-error.ts';
import { usePage } from '../app/page-context.ts';
import { Dialog } from '../components/dialog.tsx';
import { formatViewState } from '../state/view-state.ts';
import { t } from '../text/t.ts';
import { MAX_NAME, newViewId } from './saved-view.ts';

const text = t.savedViews;

export type ViewChange =
  | { readonly kind: 'save' }
  | { readonly kind: 'rename'; readonly view: SavedView }
  | { readonly kind: 'delete'; readonly view: SavedView };

interface ViewDialogProps {
  readonly change: ViewChange;
  readonly views: readonly SavedView[];
  onClose(): void;
}

/** Asks for the name of a view, or whether to delete it. */
export function ViewDialog({ change, views, onClose }: ViewDialogProps) {
  const { state, client, cache, announce } = usePage();
  const [name, setName] = useState(change.kind === 'rename' ? change.view.name : '');
  const write = async (id: string, init: RequestInit, done: string) => {
    try {
      await client.send(`/views/${id}`, init);
    } catch (error) {
      throw new Error(describeError(error));
    }
    cache.reread('/views');
    announce(done);
    return true;
  };
  if (change.kind === 'delete') {
    const { id, name } = change.view;
    const remove = () => write(id, { method: 'DELETE' }, text.deleted(name));
    return (
      <Dialog
        title={text.deleteOf(name)}
        actions={[{ label: text.delete, kind: 'danger', act: remove }]}
        onClose={onClose}
      >
        <p>{text.deleteForAll}</p>
      </Dialog>
    );
  }
  const save = async () => {
    const chosen = name.trim();
    if (chosen === '') throw new Error(text.nameMissing);
    const view =
      change.kind === 'rename' ? change.view : { id: newViewId(chosen, views), query: formatViewState(state) };
    const body = JSON.stringify({ name: chosen, query: view.query });
    const headers = { 'content-type': 'application/json' };
    return write(view.id, { method: 'PUT', headers, body }, text.saved(chosen));
  };
  const [title, label] = change.kind === 'save' ? [text.saveTitle, text.submit] : [text.renameTitle, text.rename];
  return (
    <Dialog title={title} actions={[{ label, kind: 'primary', act: save }]} onClose={onClose}>
      <NameField name={name} setName={setName} />
    </Dialog>
  );
}

function NameField({ name, setName }: { readonly name: string; setName(name: string): void }) {
  return (
    <>
      <label for="view-name">{text.name}</label>
      <input
        id="view-name"
        type="text"
        maxLength={MAX_NAME}
        value={name}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <p class="quiet small">{text.forAll}</p>
    </>
  );
}
