import type { AskedDimension } from '../../../shared/vocabulary/dimensions.ts';
import type { ApiClient, SessionRole } from '../api/api-client.ts';
import { asApiError } from '../api/describe-error.ts';
import type { ColumnId } from '../model/column-ids.ts';
import { facetQuery } from '../model/summary-queries.ts';
import { isTextColumn } from '../overview/table-columns.ts';
import type { Readings } from '../readings/readings.ts';
import { createScope, type Scope } from '../readings/scope.ts';
import { hintSides } from '../render/hint-sides.ts';
import { replaceKeepingFocus } from '../render/keep-focus.ts';
import { keepUntilRead } from '../render/stand-in.ts';
import { errorView, loadingView } from '../render/states.ts';
import type { View, ViewEntry } from '../router/view.ts';
import { viewNamed } from '../router/views.ts';
import { FIRST_VIEW, formatViewState, parseViewState, type ViewState, withFilter } from '../state/view-state.ts';
import { watchClock } from './clock-banner.ts';
import { type ControlActions, controls } from './controls.ts';
import { createFilterPanel } from './filter-panel.ts';
import { followRoutes } from './follow-routes.ts';
import { account, navigation } from './page-header.ts';
import type { Regions } from './regions.ts';

/** The views of somebody who is signed in, by the URL. */
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
  readonly readings: Readings;
  /** Whether a session may be open already: then the first numbers are asked for at once. */
  readonly askAhead: boolean;
  now(): number;
  signOut(): void;
}

export function createPages({ regions, client, readings, askAhead, now, signOut }: PagesOptions): Pages {
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
    // At once where it can be: whoever sorts a table sees it sorted with the click.
    if (loaded !== undefined) return draw(loaded, role);
    const waiting = setTimeout(() => regions.main.replaceChildren(loadingView()), 100);
    try {
      const view = await entry.load();
      views.set(entry.name, view);
      // Somebody went on, or signed out, while the view was fetched.
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
    scope = createScope(readings);
    const announce = (news: string) => {
      regions.news.textContent = news;
    };
    const nodes = view.render({ state, role: as, client, scope, now, link, navigate, announce });
    if (!sameView || nodes.length !== 1 || !keepUntilRead(regions.main, nodes[0])) {
      replaceKeepingFocus(regions.main, ...nodes);
    }
    // Only now: what is on both pages is read on without a break.
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

  // While it is still asked who is signed in: neither the script nor the first numbers wait for that.
  const asked = viewNamed(state.view);
  asked?.load().then(
    (view) => {
      views.set(asked.name, view);
      const first = askAhead && role === null ? view.first?.({ state, client, now }) : undefined;
      if (first !== undefined) readings.ahead(first.key, first.read);
    },
    () => {
      // Fetched ahead only: whoever opens the view is told.
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
      clock = role === 'admin' ? watchClock(regions.banner, client, readings) : null;
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

/** On a telephone the views may be wider than the screen: the one that is open is seen, and nothing else moves. */
function showCurrent(views: HTMLElement): void {
  const current = views.querySelector<HTMLElement>('[aria-current]');
  if (current === null) return;
  const [box, own] = [views.getBoundingClientRect(), current.getBoundingClientRect()];
  views.scrollLeft += Math.min(0, own.left - box.left) + Math.max(0, own.right - box.right);
}

/** A view that is not for this role is the first one. */
function entryFor(state: ViewState, role: SessionRole): ViewEntry {
  const entry = viewNamed(state.view);
  const first = viewNamed(FIRST_VIEW);
  if (first === undefined) throw new Error('VIEWS has no first view');
  return entry === undefined || (entry.role === 'admin' && role !== 'admin') ? first : entry;
}
