import type { AskedDimension } from '../../../shared/vocabulary/dimensions.ts';
import type { ApiClient, SessionRole } from '../api/api-client.ts';
import { asApiError } from '../api/describe-error.ts';
import { facetQuery } from '../model/summary-queries.ts';
import { isTextColumn } from '../overview/table-columns.ts';
import type { QueryCache } from '../query-cache/query-cache.ts';
import { hintSides } from '../render/hint-sides.ts';
import { replaceKeepingFocus } from '../render/keep-focus.ts';
import { createScope, type Scope } from '../render/scope.ts';
import { keepUntilRead } from '../render/stand-in.ts';
import { errorView, loadingView } from '../render/states.ts';
import type { View, ViewEntry } from '../render/view.ts';
import type { ColumnId } from '../state/column-ids.ts';
import { FIRST_VIEW, formatViewState, parseViewState, type ViewState, withFilter } from '../state/view-state.ts';
import { watchClock } from './clock-banner.ts';
import { type ControlActions, controls } from './controls.ts';
import { createFilterPanel } from './filter-panel.ts';
import { followRoutes } from './follow-routes.ts';
import { account, navigation } from './page-header.ts';
import type { Regions } from './regions.ts';
import { viewNamed } from './views.ts';

/** Shows the view that the URL names while a user is signed in. */
export interface Pages {
  readonly entered: boolean;
  enter(role: SessionRole): Promise<void>;
  leave(): void;
  /** Whether the range on the page moves with the clock. */
  moving(): boolean;
}

export interface PagesOptions {
  readonly regions: Regions;
  readonly client: ApiClient;
  readonly cache: QueryCache;
  /** A session may exist already: send the first query without waiting for its role. */
  readonly prefetch: boolean;
  now(): number;
  signOut(): void;
}

export function createPages({ regions, client, cache, prefetch, now, signOut }: PagesOptions): Pages {
  const panel = createFilterPanel();
  hintSides(regions.views);
  let state = parseViewState(location.search);
  let role: SessionRole | null = null;
  let scope: Scope | null = null;
  let drawn: ViewState | null = null;
  let clock: { stop(): void } | null = null;
  const views = new Map<string, View>();

  const link = (to: ViewState) => location.pathname + formatViewState(to);

  function navigate(next: ViewState): void {
    const before = state;
    state = next;
    if (link(before) !== link(next)) history.pushState(null, '', link(next));
    if (before.view !== next.view || before.own.page !== next.own.page) window.scrollTo(0, 0);
    void show();
  }

  async function show(): Promise<void> {
    if (role === null) return;
    const shown = state;
    const entry = entryFor(state, role);
    replaceKeepingFocus(regions.account, account(role, signOut));
    replaceKeepingFocus(regions.views, ...navigation(entry.name, role, state, link));
    showCurrent(regions.views);
    replaceKeepingFocus(regions.controls, ...controls(state, entry.controls, actions));
    const loaded = views.get(entry.name);
    // Synchronous if the view is loaded: a click on a column sorts at once.
    if (loaded !== undefined) return draw(loaded, role);
    const waiting = setTimeout(() => regions.main.replaceChildren(loadingView()), 100);
    try {
      const view = await entry.load();
      views.set(entry.name, view);
      // The user may have navigated on or signed out meanwhile.
      if (shown === state && role !== null) draw(view, role);
    } catch (error) {
      if (shown === state) regions.main.replaceChildren(errorView(asApiError(error), () => void show()));
    } finally {
      clearTimeout(waiting);
    }
  }

  function draw(view: View, as: SessionRole): void {
    document.title = `${view.title(state)} · Lastbyte`;
    const sameView = drawn !== null && drawn.view === state.view && drawn.own.page === state.own.page;
    drawn = state;
    const before = scope;
    scope = createScope(cache);
    const announce = (news: string) => {
      regions.news.textContent = news;
    };
    const nodes = view.render({ state, role: as, client, scope, now, link, navigate, announce });
    if (!sameView || nodes.length !== 1 || !keepUntilRead(regions.main, nodes[0])) {
      replaceKeepingFocus(regions.main, ...nodes);
    }
    // After the new view subscribed, so that a request both share is not aborted.
    before?.stop();
  }

  const actions: ControlActions = {
    now,
    chooseRange: (range) => navigate({ ...state, range }),
    clearFilters: () => navigate({ ...state, filters: {} }),
    sortBy(column: ColumnId, descending?: boolean) {
      const turned = state.sort.column === column ? !state.sort.descending : !isTextColumn(column);
      navigate({ ...state, sort: { column, descending: descending ?? turned } });
    },
    openFilter: (dimension: AskedDimension, anchor: HTMLElement) =>
      void panel.open({
        dimension,
        anchor,
        chosen: state.filters[dimension] ?? [],
        values: async () => (await client.summary(facetQuery(state, dimension, now()))).cells,
        choose: (values) => navigate(withFilter(state, dimension, values)),
      }),
  };

  // In parallel to the request for the session: neither the script nor the first query waits for it.
  const requested = viewNamed(state.view);
  requested?.load().then(
    (view) => {
      views.set(requested.name, view);
      const first = prefetch && role === null ? view.first?.({ state, client, now }) : undefined;
      if (first !== undefined) cache.prefetch(first.key, first.read);
    },
    () => {
      // Prefetch only: opening the view reports the error.
    },
  );
  followRoutes((search) => {
    if (role === null) return false;
    navigate(parseViewState(search));
    return true;
  });
  window.addEventListener('popstate', () => {
    panel.close();
    state = parseViewState(location.search);
    void show();
  });

  return {
    get entered() {
      return role !== null;
    },
    async enter(entered) {
      role = entered;
      clock?.stop();
      clock = role === 'admin' ? watchClock(regions.banner, client, cache) : null;
      await show();
    },
    leave() {
      role = null;
      scope?.stop();
      scope = null;
      clock?.stop();
      clock = null;
      drawn = null;
      panel.close();
      regions.main.removeAttribute('aria-busy');
      for (const region of [regions.status, regions.account, regions.views, regions.controls]) region.replaceChildren();
    },
    moving: () => 'preset' in state.range,
  };
}

/** Scrolls the current view's tab into sight where the navigation is wider than the screen; the page does not move. */
function showCurrent(views: HTMLElement): void {
  const current = views.querySelector<HTMLElement>('[aria-current]');
  if (current === null) return;
  const [box, own] = [views.getBoundingClientRect(), current.getBoundingClientRect()];
  views.scrollLeft += Math.min(0, own.left - box.left) + Math.max(0, own.right - box.right);
}

/** The first view replaces an unknown one and one that the role may not open. */
function entryFor(state: ViewState, role: SessionRole): ViewEntry {
  const entry = viewNamed(state.view);
  const first = viewNamed(FIRST_VIEW);
  if (first === undefined) throw new Error('VIEWS has no first view');
  return entry === undefined || (entry.role === 'admin' && role !== 'admin') ? first : entry;
}
