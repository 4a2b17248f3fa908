import type { SavedView } from '../../http/schemas/control-answers.ts';
import { formatViewState, parseViewState, type ViewState } from '../state/view-state.ts';

export const MAX_NAME = 80;
const MAX_ID = 63;

/** The view that shows exactly this; ones that were saved by another version are compared by what they mean. */
export function currentView(views: readonly SavedView[], state: ViewState): SavedView | null {
  const shown = formatViewState(state);
  return views.find(({ query }) => formatViewState(parseViewState(query)) === shown) ?? null;
}

/** An id for a new view: `ERP, diese Woche` → `erp-diese-woche`, with a number if that is taken. */
export function newViewId(name: string, views: readonly SavedView[]): string {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const plain = letters.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
  const base = plain === '' ? 'view' : plain;
  const taken = new Set(views.map(({ id }) => id));
  for (let n = 1; ; n++) {
    const ending = n === 1 ? '' : `-${n}`;
    const id = `${base.slice(0, MAX_ID - ending.length).replace(/-$/, '')}${ending}`;
    if (!taken.has(id)) return id;
  }
}
