import type { Json } from '../model/settings-diff.ts';
import { button, element } from '../render/element.ts';
import { panelBox } from '../render/panel-box.ts';
import type { ViewContext } from '../render/view.ts';
import { formatMoment } from '../state/time-range.ts';
import { openDialog } from './dialog.ts';
import { diffView } from './diff-view.ts';

interface Revision {
  readonly revision: number;
  readonly at: string;
  readonly author: string;
}
interface WholeRevision {
  readonly revision: number;
  readonly at: string;
  readonly document: Json;
}

let reads = 0;

const EMPTY: Json = { version: 1, targets: [] };

/** Every revision with its author and changes, and undoing it. */
export function historySection(
  { client, scope }: ViewContext,
  { restore }: { readonly restore: ((document: Json) => void) | null },
): HTMLElement {
  const read = async (revision: number): Promise<Json> =>
    revision === 0 ? EMPTY : (await client.read<WholeRevision>(`/settings/revisions/${revision}`)).document;

  async function show({ revision, at, author }: Revision, newest: boolean): Promise<void> {
    const dialog = openDialog();
    const title = `Revision ${revision}, ${formatMoment(Date.parse(at))}${author === '' ? '' : `, ${author}`}`;
    try {
      const [before, after] = await Promise.all([read(revision - 1), read(revision)]);
      const back = newest ? before : after;
      dialog.fill(
        title,
        [diffView(before, after)],
        restore === null
          ? []
          : [
              {
                label: newest ? 'Undo this change' : `Go back to revision ${revision}`,
                async act() {
                  restore(back);
                  return true;
                },
              },
            ],
        'Close',
      );
    } catch (error) {
      dialog.fill(title, [], [], 'Close');
      dialog.problem(error instanceof Error ? error.message : String(error));
    }
  }

  return panelBox(
    'History',
    'Every change is a revision. Undoing creates a new one, so nothing is lost.',
    scope.panel<{ readonly revisions: readonly Revision[] }>({
      // A new key each time: a cached answer lacks the newest revision.
      key: `settings revisions ${++reads}`,
      name: 'History',
      shape: 'chart',
      read: (signal) => client.read('/settings/revisions', signal),
      render: ({ revisions }) =>
        revisions.length === 0
          ? [element('p', { class: 'quiet' }, 'Nothing has been saved yet.')]
          : [
              element(
                'ol',
                { class: 'revisions', reversed: true },
                ...revisions.slice(0, 30).map((one, i) =>
                  element(
                    'li',
                    { value: one.revision },
                    element('span', {}, formatMoment(Date.parse(one.at))),
                    element('span', { class: 'quiet' }, one.author === '' ? ' author unknown' : ` ${one.author}`),
                    i === 0 ? element('span', { class: 'badge' }, 'current') : null,
                    button(
                      {
                        class: 'plain',
                        'data-focus': `revision ${one.revision}`,
                        'aria-label': `Changes in revision ${one.revision}`,
                      },
                      () => void show(one, i === 0),
                      'Show changes',
                    ),
                  ),
                ),
              ),
            ],
    }),
  );
}
