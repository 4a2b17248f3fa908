import { ApiError, UnreachableError } from '../api/api-error.ts';
import { asApiError } from '../api/describe-error.ts';
import { element } from '../render/element.ts';
import { errorView, loadingView, unreachableView } from '../render/states.ts';
import type { View, ViewContext } from '../render/view.ts';
import { createEditor, type Editor } from './editor.ts';
import { readSettings } from './review.ts';
import { settingsForm } from './settings-form.ts';

/** Unsaved changes are kept while other views are open. */
let kept: Editor | null = null;

/** Targets, probes, alerts, reports, exclusion rules, retention, keys and history; read-only for viewers. */
export const settings: View = {
  title: () => 'Settings',
  render(context) {
    const root = element('div', { class: 'settings' }, loadingView());
    void load(root, context);
    return [root];
  },
};

async function load(root: HTMLElement, context: ViewContext): Promise<void> {
  const { client, role } = context;
  root.replaceChildren(loadingView());
  const retry = () => void load(root, context);
  try {
    const newest = await readSettings(client);
    const unsaved = role === 'admin' && kept?.changed ? kept : null;
    const editor = unsaved ?? createEditor(client, newest);
    kept = role === 'admin' ? editor : null;
    root.replaceChildren(...settingsForm(editor, context));
    // `?view=settings&part=probes` links to a section.
    const part = context.state.own.part;
    if (part !== undefined) root.querySelector(`[data-part="${CSS.escape(part)}"]`)?.scrollIntoView();
  } catch (error) {
    // The session has ended: reload to show the sign-in form.
    if (error instanceof ApiError && error.status === 401) return location.reload();
    root.replaceChildren(
      error instanceof UnreachableError ? unreachableView(retry) : errorView(asApiError(error), retry),
    );
  }
}
