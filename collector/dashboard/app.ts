import { DIMENSIONS, type Dimension } from '../../shared/summary/dimensions.ts';
import type { SummaryDocument } from '../../shared/summary/summary-document.ts';
import type { ApiClient, SessionRole } from './api/api-client.ts';
import { ApiError, UnreachableError } from './api/api-error.ts';
import { methodNote } from './model/method-note.ts';
import { facetQuery, summaryQueries } from './model/summary-queries.ts';
import { loadCharts } from './render/chart-figure.ts';
import { controls } from './render/controls.ts';
import { createFilterPanel } from './render/filter-panel.ts';
import { hostView } from './render/host-view.ts';
import { replaceKeepingFocus } from './render/keep-focus.ts';
import { methodFooter } from './render/method-footer.ts';
import { overviewView, type TableActions } from './render/overview-view.ts';
import { pageHeader } from './render/page-header.ts';
import { signInView } from './render/sign-in.ts';
import { emptyView, errorView, loadingView, unreachableView } from './render/states.ts';
import { type Freshness, statusLine } from './render/status-line.ts';
import { describeRange } from './state/time-range.ts';
import { formatViewState, parseViewState, type ViewState, withFilter } from './state/view-state.ts';

/** A moving range is read again this often while the page is visible, ms. */
const REFRESH_INTERVAL = 60_000;
/** After a failed attempt sooner, ms. */
const RETRY_INTERVAL = 10_000;
/** Views kept for going back, so that "back" shows at once what was there. */
const KEPT_VIEWS = 20;

/** The places of index.html that the dashboard fills. */
export interface Regions {
  readonly header: HTMLElement;
  readonly controls: HTMLElement;
  readonly status: HTMLElement;
  readonly main: HTMLElement;
  readonly footer: HTMLElement;
  /** A polite live region: what changed, in a few words. */
  readonly news: HTMLElement;
}

interface Shown {
  readonly documents: Readonly<Record<string, SummaryDocument>>;
  readonly at: number;
}

/** state (URL) → fetch → view model → page. Everything of the outside world comes in here. */
export function startApp(regions: Regions, client: ApiClient, now: () => number): void {
  const panel = createFilterPanel();
  const views = new Map<string, Shown>();
  const open = new Set<string>();
  let state = parseViewState(location.search);
  let role: SessionRole | null = null;
  let loading: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function start(): Promise<void> {
    replaceKeepingFocus(
      regions.header,
      pageHeader(null, () => {}),
    );
    regions.main.replaceChildren(loadingView());
    const token = takeToken();
    try {
      role = token === null ? await client.role() : await client.signIn(token);
    } catch (error) {
      if (error instanceof ApiError && token !== null) return showSignIn(describeError(error));
      return showFailure(error, () => void start());
    }
    if (role === null) showSignIn(null);
    else enter();
  }

  function enter(): void {
    show();
    void load();
  }

  function showSignIn(problem: string | null): void {
    stop();
    role = null;
    views.clear();
    panel.close();
    document.title = 'Sign in · Lastbyte';
    for (const region of [regions.controls, regions.status, regions.footer]) region.replaceChildren();
    replaceKeepingFocus(
      regions.header,
      pageHeader(null, () => {}),
    );
    regions.main.replaceChildren(signInView(problem, (token) => void signIn(token)));
    regions.main.querySelector<HTMLInputElement>('input')?.focus();
  }

  async function signIn(token: string): Promise<void> {
    try {
      role = await client.signIn(token);
      enter();
    } catch (error) {
      showSignIn(describeError(error));
    }
  }

  async function signOut(): Promise<void> {
    stop();
    try {
      await client.signOut();
      showSignIn(null);
    } catch (error) {
      regions.news.textContent = `You are still signed in: ${describeError(error)}`;
      void load();
    }
  }

  function navigate(next: ViewState, replace = false): void {
    const before = state;
    state = next;
    const url = location.pathname + formatViewState(next);
    if (replace) history.replaceState(null, '', url);
    else history.pushState(null, '', url);
    if (before.page !== next.page) window.scrollTo(0, 0);
    show();
    if (viewKey(before) !== viewKey(next)) void load();
  }

  async function load(): Promise<void> {
    clearTimeout(timer);
    loading?.abort();
    const mine = new AbortController();
    loading = mine;
    const key = viewKey(state);
    const kept = views.get(key);
    showStatus({ kind: 'loading' });
    regions.main.setAttribute('aria-busy', 'true');
    try {
      const queries = Object.entries(summaryQueries(state, now()));
      const answers = await Promise.all(
        queries.map(async ([name, query]) => [name, await client.summary(query, mine.signal)] as const),
      );
      keep(key, { documents: Object.fromEntries(answers), at: now() });
      if (mine !== loading) return;
      loading = null;
      show();
      regions.news.textContent = newsOf(views.get(key));
      void loadCharts().catch(() => {});
      schedule(REFRESH_INTERVAL);
    } catch (error) {
      if (mine !== loading) return;
      loading = null;
      if (error instanceof ApiError && error.status === 401)
        return showSignIn('Your session has ended. Sign in again.');
      if (kept === undefined) showFailure(error, () => void load());
      else showStatus(staleness(error, kept.at));
      schedule(RETRY_INTERVAL);
    } finally {
      if (loading === null) regions.main.removeAttribute('aria-busy');
    }
  }

  function schedule(interval: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (document.hidden) schedule(interval);
      else if ('preset' in state.range || interval === RETRY_INTERVAL) void load();
    }, interval);
  }

  function stop(): void {
    clearTimeout(timer);
    loading?.abort();
    loading = null;
  }

  function keep(key: string, shown: Shown): void {
    views.delete(key);
    views.set(key, shown);
    for (const oldest of views.keys()) {
      if (views.size <= KEPT_VIEWS) break;
      views.delete(oldest);
    }
  }

  function show(): void {
    document.title = `${state.page ?? 'Overview'} · Lastbyte`;
    replaceKeepingFocus(
      regions.header,
      pageHeader(role, () => void signOut()),
    );
    replaceKeepingFocus(regions.controls, controls(state, controlActions));
    const shown = views.get(viewKey(state));
    if (shown === undefined) {
      regions.main.replaceChildren(loadingView());
      regions.footer.replaceChildren();
      return;
    }
    if (loading === null) showStatus({ kind: 'fresh', at: shown.at });
    replaceKeepingFocus(regions.main, ...mainView(shown));
    const { cells } = shown.documents;
    replaceKeepingFocus(regions.footer, ...(cells === undefined ? [] : [methodFooter(methodNote(cells.method))]));
  }

  function mainView({ documents }: Shown): readonly HTMLElement[] {
    const { cells, whole } = documents;
    if (cells === undefined) return [];
    if (cells.cells.length === 0) {
      const filtered = Object.keys(state.filters).length > 0 || state.page !== null;
      const clear = () => navigate({ ...state, filters: {}, page: null, kind: null });
      const longer = () => navigate({ ...state, range: { preset: '30d' } });
      return [emptyView(filtered, describeRange(state.range), clear, longer)];
    }
    if (state.page === null || whole === undefined) return overviewView(cells, tableActions());
    return hostView(state.page, state.kind, cells, whole, {
      ...tableActions(),
      home: location.pathname + formatViewState({ ...state, page: null, kind: null }),
      linkKind: (kind) => location.pathname + formatViewState({ ...state, kind }),
    });
  }

  function tableActions(): TableActions {
    return {
      sort: state.sort,
      open,
      link: ({ host, type }) => location.pathname + formatViewState({ ...state, page: host, kind: type }),
      sortBy(column) {
        const same = state.sort.column === column;
        const text = ['host', 'type', 'verdict'].includes(column);
        navigate({ ...state, sort: { column, descending: same ? !state.sort.descending : !text } });
      },
      toggle(name) {
        if (!open.delete(name)) open.add(name);
        show();
      },
    };
  }

  const controlActions = {
    now,
    chooseRange: (range: ViewState['range']) => navigate({ ...state, range }),
    clearFilters: () => navigate({ ...state, filters: {} }),
    sortBy: (column: ViewState['sort']['column'], descending: boolean) =>
      navigate({ ...state, sort: { column, descending } }),
    openFilter: (dimension: Dimension, anchor: HTMLElement) =>
      void panel.open({
        dimension,
        anchor,
        chosen: state.filters[dimension] ?? [],
        values: async () =>
          (await client.summary(facetQuery(state, dimension, now()), new AbortController().signal)).cells,
        choose: (values) => navigate(withFilter(state, dimension, values)),
      }),
  };

  function showStatus(freshness: Freshness): void {
    replaceKeepingFocus(
      regions.status,
      statusLine(freshness, now(), () => void load()),
    );
  }

  function showFailure(error: unknown, retry: () => void): void {
    regions.status.replaceChildren();
    regions.main.removeAttribute('aria-busy');
    if (error instanceof UnreachableError) regions.main.replaceChildren(unreachableView(retry));
    else regions.main.replaceChildren(errorView(asApiError(error), retry));
    regions.news.textContent = describeError(error);
  }

  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[data-route]') : null;
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!(link instanceof HTMLAnchorElement) || !plain || role === null) return;
    event.preventDefault();
    navigate(parseViewState(link.search));
  });
  window.addEventListener('popstate', () => {
    if (role === null) return;
    panel.close();
    state = parseViewState(location.search);
    enter();
  });
  setInterval(() => {
    const shown = views.get(viewKey(state));
    const current = regions.status.querySelector('[data-freshness]')?.getAttribute('data-freshness');
    if (shown !== undefined && current === 'fresh' && role !== null) showStatus({ kind: 'fresh', at: shown.at });
  }, RETRY_INTERVAL);

  void start();
}

/** Order and chosen type do not change what is read. */
function viewKey(state: ViewState): string {
  return JSON.stringify([state.range, state.page, DIMENSIONS.map((dimension) => state.filters[dimension] ?? [])]);
}

/** A token handed over in the fragment is used once and leaves the address and the history at once. */
function takeToken(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return token;
}

function staleness(error: unknown, at: number): Freshness {
  if (error instanceof UnreachableError) return { kind: 'unreachable', at };
  return { kind: 'failed', at, code: asApiError(error).code };
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(
    0,
    'dashboard_failed',
    error instanceof Error ? error.message : String(error),
    'Reload the page.',
  );
}

function describeError(error: unknown): string {
  if (error instanceof ApiError && error.hint !== '') return `${error.message} ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}

function newsOf(shown: Shown | undefined): string {
  const rows = shown?.documents.cells?.cells.length ?? 0;
  return rows === 0 ? 'No samples in this view' : `${rows} ${rows === 1 ? 'row' : 'rows'} shown`;
}
