import { useEffect, useState } from 'preact/hooks';
import type { SavedView } from '../../http/schemas/control-answers.ts';
import { describeError } from '../api/describe-error.ts';
import { usePage } from '../app/page-context.ts';
import { Popover } from '../components/popover.tsx';
import { RouteLink } from '../components/route-link.tsx';
import { useQuery } from '../query-cache/use-query.ts';
import { parseViewState } from '../state/view-state.ts';
import { t } from '../text/t.ts';
import { currentView } from './saved-view.ts';
import type { ViewChange } from './view-dialog.tsx';

const text = t.savedViews;

type Dialog = typeof import('./view-dialog.tsx').ViewDialog;

/** The menu of named views: everyone opens them, administrators save, rename and delete. */
export function SavedViews() {
  const { state, role, client, announce } = usePage();
  const query = useQuery<{ readonly views: readonly SavedView[] }>(client.query('/views'));
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [shown, setShown] = useState<{ readonly Dialog: Dialog; readonly change: ViewChange } | null>(null);
  // Also where the view that was opened is the one shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes when the page shows something else
  useEffect(() => setAnchor(null), [state]);
  const views = query.state.last?.value.views ?? [];
  const current = currentView(views, state);
  // A viewer has nothing to do here before an administrator has saved a view.
  if (role !== 'admin' && views.length === 0) return null;
  const ask = (next: ViewChange) => {
    setAnchor(null);
    // Rarely needed, so that no first visit waits for it.
    import('./view-dialog.tsx').then(
      ({ ViewDialog }) => setShown({ Dialog: ViewDialog, change: next }),
      (error: unknown) => announce(describeError(error)),
    );
  };
  return (
    <>
      <button
        type="button"
        class={`filter saved-views${current === null ? '' : ' active'}`}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(anchor === null ? event.currentTarget : null)}
      >
        {current === null ? text.title : <span class="filter-values">{current.name}</span>}
        <span class="caret" aria-hidden="true" />
      </button>
      {anchor === null ? null : (
        <Popover anchor={anchor} label={text.title} onClose={() => setAnchor(null)}>
          {query.state.last !== null && views.length === 0 ? <p class="quiet small">{text.none}</p> : null}
          <ul class="view-list">
            {views.map((view) => (
              <li key={view.id}>
                <Entry view={view} current={view.id === current?.id} ask={ask} />
              </li>
            ))}
          </ul>
          {role === 'admin' ? (
            <button type="button" onClick={() => ask({ kind: 'save' })}>
              {text.save}
            </button>
          ) : null}
        </Popover>
      )}
      {shown === null ? null : <shown.Dialog change={shown.change} views={views} onClose={() => setShown(null)} />}
    </>
  );
}

interface EntryProps {
  readonly view: SavedView;
  readonly current: boolean;
  ask(change: ViewChange): void;
}

function Entry({ view, current, ask }: EntryProps) {
  const { role } = usePage();
  return (
    <>
      <RouteLink class="view-name" to={parseViewState(view.query)} current={current ? 'true' : undefined}>
        {view.name}
      </RouteLink>
      {role === 'admin' ? (
        <span class="tools">
          <button
            type="button"
            class="tool"
            aria-label={text.renameOf(view.name)}
            onClick={() => ask({ kind: 'rename', view })}
          >
            {text.rename}
          </button>
          <button
            type="button"
            class="tool"
            aria-label={text.deleteOf(view.name)}
            onClick={() => ask({ kind: 'delete', view })}
          >
            {text.delete}
          </button>
        </span>
      ) : null}
    </>
  );
}
