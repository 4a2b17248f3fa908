import type { Dimension } from '../../shared/summary/dimensions.ts';
import type { ApiClient, SessionRole } from './api/api-client.ts';
import { ApiError, UnreachableError } from './api/api-error.ts';
import { asApiError, describeError } from './api/describe-error.ts';
import type { ColumnId } from './model/column-ids.ts';
import { methodNote } from './model/method-note.ts';
import { facetQuery } from './model/summary-queries.ts';
import { loadCharts } from './render/chart-figure.ts';
import { type ControlActions, controls } from './render/controls.ts';
import { createFilterPanel } from './render/filter-panel.ts';
import { replaceKeepingFocus } from './render/keep-focus.ts';
import { mainView } from './render/main-view.ts';
import { methodFooter } from './render/method-footer.ts';
import { account, brand } from './render/page-header.ts';
import { signInView } from './render/sign-in.ts';
import { errorView, loadingView, unreachableView } from './render/states.ts';
import { type Freshness, statusLine } from './render/status-line.ts';
import { isTextColumn } from './render/table-columns.ts';
import { takeToken } from './state/take-token.ts';
import { formatViewState, parseViewState, type ViewState, withFilter } from './state/view-state.ts';
import { createViewLoader, viewKey } from './view-loader.ts';

/** A moving range is read again this often while the page is visible, ms. */
const REFRESH_INTERVAL = 60_000;
/** After a failed attempt sooner, ms. */
const RETRY_INTERVAL = 10_000;
/** How often "updated … ago" is written anew, ms. */
const AGE_INTERVAL = 10_000;

/** The places of index.html that the dashboard fills. */
export interface Regions {
  readonly header: HTMLElement;
  readonly status: HTMLElement;
  readonly account: HTMLElement;
  readonly controls: HTMLElement;
  readonly main: HTMLElement;
  readonly footer: HTMLElement;
  /** A polite live region: what changed, in a few words. */
  readonly news: HTMLElement;
}

/** state (URL) → fetch → view model → page. */
export function startApp(regions: Regions, client: ApiClient, now: () => number): void {
  const panel = createFilterPanel();
  const loader = createViewLoader(client, now);
  const open = new Set<string>();
  let state = parseViewState(location.search);
  let role: SessionRole | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function start(token: string | null, byHand = false): Promise<void> {
    regions.main.replaceChildren(loadingView());
    try {
      role = token === null ? await client.role() : await client.signIn(token);
    } catch (error) {
      if (error instanceof ApiError && token !== null) showSignIn(describeError(error));
      else showFailure(error, () => void start(token, byHand));
      return;
    }
    if (role === null) return showSignIn(null);
    enter();
    // The form had the focus and is gone: reading goes on at the numbers.
    if (byHand) regions.main.focus();
  }

  function enter(): void {
    show();
    void load();
  }

  function leave(): void {
    clearTimeout(timer);
    loader.stop();
  }

  function showSignIn(problem: string | null): void {
    leave();
    loader.forget();
    role = null;
    panel.close();
    document.title = 'Sign in · Lastbyte';
    for (const region of [regions.status, regions.account, regions.controls, regions.footer]) region.replaceChildren();
    regions.main.removeAttribute('aria-busy');
    regions.main.replaceChildren(signInView(problem, (token) => void start(token, true)));
    regions.main.querySelector('input')?.focus();
  }

  async function signOut(): Promise<void> {
    leave();
    try {
      await client.signOut();
      showSignIn(null);
    } catch (error) {
      regions.news.textContent = `You are still signed in. ${describeError(error)}`;
      void load();
    }
  }

  function navigate(next: ViewState): void {
    const before = state;
    state = next;
    history.pushState(null, '', link(next));
    if (before.page !== next.page) window.scrollTo(0, 0);
    show();
    if (viewKey(before) !== viewKey(next)) void load();
  }

  async function load(): Promise<void> {
    clearTimeout(timer);
    showStatus({ kind: 'loading' });
    regions.main.setAttribute('aria-busy', 'true');
    const outcome = await loader.load(state);
    if (outcome.kind === 'superseded') return;
    regions.main.removeAttribute('aria-busy');
    if (outcome.kind === 'loaded') {
      showNumbers();
      regions.news.textContent = rowNews();
      loadCharts().catch(() => {
        // Only fetched ahead here: the chart that needs it says so itself.
      });
      schedule('preset' in state.range ? REFRESH_INTERVAL : null);
      return;
    }
    const { error } = outcome;
    if (error instanceof ApiError && error.status === 401) return showSignIn('Your session has ended. Sign in again.');
    const kept = loader.shown(state);
    if (kept === undefined) showFailure(error, () => void load());
    else showStatus(staleness(error, kept.at));
    schedule(RETRY_INTERVAL);
  }

  function schedule(interval: number | null): void {
    clearTimeout(timer);
    if (interval === null) return;
    timer = setTimeout(() => (document.hidden ? schedule(interval) : void load()), interval);
  }

  function show(): void {
    document.title = `${state.page ?? 'Overview'} · Lastbyte`;
    if (role !== null)
      replaceKeepingFocus(
        regions.account,
        account(role, () => void signOut()),
      );
    replaceKeepingFocus(regions.controls, controls(state, actions));
    showNumbers();
  }

  /** What a refresh changes: the controls stay, somebody may be typing in them. */
  function showNumbers(): void {
    const shown = loader.shown(state);
    if (shown === undefined) {
      regions.main.replaceChildren(loadingView());
      regions.footer.replaceChildren();
      return;
    }
    if (!loader.busy) showStatus({ kind: 'fresh', at: shown.at });
    replaceKeepingFocus(regions.main, ...mainView(state, shown.documents, open, actions));
    const { cells } = shown.documents;
    replaceKeepingFocus(regions.footer, ...(cells === undefined ? [] : [methodFooter(methodNote(cells.method))]));
  }

  function link(to: ViewState): string {
    return location.pathname + formatViewState(to);
  }

  const actions = {
    now,
    link,
    navigate,
    chooseRange: (range) => navigate({ ...state, range }),
    clearFilters: () => navigate({ ...state, filters: {} }),
    sortBy(column: ColumnId, descending?: boolean) {
      const turned = state.sort.column === column ? !state.sort.descending : !isTextColumn(column);
      navigate({ ...state, sort: { column, descending: descending ?? turned } });
    },
    toggle(name) {
      if (!open.delete(name)) open.add(name);
      showNumbers();
    },
    openFilter: (dimension: Dimension, anchor: HTMLElement) =>
      void panel.open({
        dimension,
        anchor,
        chosen: state.filters[dimension] ?? [],
        values: async () => (await client.summary(facetQuery(state, dimension, now()))).cells,
        choose: (values) => navigate(withFilter(state, dimension, values)),
      }),
  } satisfies ControlActions & Parameters<typeof mainView>[3];

  function showStatus(freshness: Freshness): void {
    replaceKeepingFocus(
      regions.status,
      statusLine(freshness, now(), () => void load()),
    );
  }

  function showFailure(error: unknown, retry: () => void): void {
    regions.status.replaceChildren();
    const unreachable = error instanceof UnreachableError;
    regions.main.replaceChildren(unreachable ? unreachableView(retry) : errorView(asApiError(error), retry));
    regions.news.textContent = describeError(error);
  }

  function rowNews(): string {
    const rows = loader.shown(state)?.documents.cells?.cells.length ?? 0;
    return rows === 0 ? 'No samples in this view' : `${rows} ${rows === 1 ? 'row' : 'rows'} shown`;
  }

  document.addEventListener('click', (event) => {
    const followed = event.target instanceof Element ? event.target.closest('a[data-route]') : null;
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!(followed instanceof HTMLAnchorElement) || !plain || role === null) return;
    event.preventDefault();
    navigate(parseViewState(followed.search));
  });
  window.addEventListener('popstate', () => {
    if (role === null) return;
    panel.close();
    state = parseViewState(location.search);
    enter();
  });
  setInterval(() => {
    const shown = loader.shown(state);
    const fresh = regions.status.querySelector('[data-freshness="fresh"]') !== null;
    if (shown !== undefined && fresh && role !== null) showStatus({ kind: 'fresh', at: shown.at });
  }, AGE_INTERVAL);

  regions.header.replaceChildren(brand());
  void start(takeToken());
}

function staleness(error: unknown, at: number): Freshness {
  if (error instanceof UnreachableError) return { kind: 'unreachable', at };
  return { kind: 'failed', at, code: asApiError(error).code };
}
