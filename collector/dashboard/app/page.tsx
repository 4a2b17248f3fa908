import { effect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { FailedView, Loading } from '../components/states.tsx';
import type { QueryCache } from '../query-cache/query-cache.ts';
import { FIRST_VIEW, formatViewState, parseViewState, type ViewState } from '../state/view-state.ts';
import { t } from '../text/t.ts';
import { ClockBanner, OutageBanner } from './banners.tsx';
import { Controls } from './controls.tsx';
import { Frame } from './frame.tsx';
import { Navigation } from './navigation.tsx';
import { type PageContext, PageProvider, usePage } from './page-context.ts';
import { StatusLine } from './status-line.tsx';
import { useAppNames } from './use-app-names.ts';
import type { ViewEntry } from './view.ts';
import { loadedView, loadView, viewNamed } from './views.ts';

/** A view that takes longer to load shows placeholders, ms. */
const SLOW_AFTER = 100;
/** How often a moving range is refreshed while the page is visible, ms. */
const REFRESH_INTERVAL = 60_000;
/** The same after a failed attempt, ms. */
const RETRY_INTERVAL = 10_000;

interface PageProps extends Omit<PageContext, 'state' | 'link' | 'navigate'> {
  /** Moves the focus to the content. */
  readonly focused: boolean;
  signOut(): void;
}

const link = (to: ViewState) => location.pathname + formatViewState(to);

/** The view that the URL names, while a user is signed in. */
export function Page({ role, client, cache, focused, now, announce, signOut }: PageProps) {
  const [state, setState] = useState(() => parseViewState(location.search));
  const navigate = useCallback((next: ViewState) => {
    const before = parseViewState(location.search);
    if (link(before) !== link(next)) history.pushState(null, '', link(next));
    if (nameOf(before) !== nameOf(next)) window.scrollTo(0, 0);
    setState(next);
  }, []);
  useEffect(() => {
    const follow = () => setState(parseViewState(location.search));
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, []);
  useRefreshTimer(cache, 'preset' in state.range);
  const page = useMemo<PageContext>(
    () => ({ state, role, client, cache, now, link, navigate, announce }),
    [state, role, client, cache, now, navigate, announce],
  );
  const entry = entryFor(state);
  return (
    <PageProvider value={page}>
      <Frame
        focused={focused}
        skipToTable={entry.rows === true}
        home={() => navigate(parseViewState(''))}
        navigation={<Navigation current={entry.name} />}
        status={<StatusLine />}
        account={
          <div class="account">
            <span class="role quiet small">{t.app.roles[role]}</span>
            <LanguageLink />
            <button type="button" class="plain" onClick={signOut}>
              {t.app.signOut}
            </button>
          </div>
        }
        controls={entry.ranged ? <Controls /> : null}
        banner={
          <>
            <OutageBanner />
            {role === 'admin' ? <ClockBanner /> : null}
          </>
        }
      >
        <Content entry={entry} page={page} />
      </Frame>
    </PageProvider>
  );
}

/** The same view in the other language; the collector remembers the choice. */
function LanguageLink() {
  const { state } = usePage();
  const query = new URLSearchParams(formatViewState(state));
  query.set('lang', t.app.otherLanguage.tag);
  return (
    <a class="plain small" href={`/?${query}`} lang={t.app.otherLanguage.tag} hreflang={t.app.otherLanguage.tag}>
      {t.app.otherLanguage.name}
    </a>
  );
}

/**
 * Repeats the queries of moving ranges and those that failed, counted from the last change of any query.
 *
 * @param moving whether the range on the page moves with the clock
 */
function useRefreshTimer(cache: QueryCache, moving: boolean): void {
  useEffect(
    () =>
      effect(() => {
        const { failed, loading } = cache.status.value;
        if (loading || (!failed && !moving)) return;
        const timer = setInterval(
          () => {
            if (!document.hidden) cache.refresh(failed ? 'failed' : 'rested');
          },
          failed ? RETRY_INTERVAL : REFRESH_INTERVAL,
        );
        return () => clearInterval(timer);
      }),
    [cache, moving],
  );
}

/** Loads the view and shows it; until then the previous view stays. */
function Content({ entry, page }: { readonly entry: ViewEntry; readonly page: PageContext }) {
  const view = loadedView(entry);
  const names = useAppNames();
  const [waiting, setWaiting] = useState<{ readonly entry: ViewEntry | null; readonly error?: unknown }>({
    entry: null,
  });
  const shown = useRef<ComponentChildren>(null);
  const load = useCallback(() => {
    let current = true;
    const slow = setTimeout(() => setWaiting({ entry }), SLOW_AFTER);
    const end = () => {
      current = false;
      clearTimeout(slow);
    };
    loadView(entry).then(
      () => {
        if (current) setWaiting({ entry: null });
        end();
      },
      (error: unknown) => {
        if (current) setWaiting({ entry, error });
        end();
      },
    );
    return end;
  }, [entry]);
  // Also covers a view that finished loading between this render and the effect.
  const missing = view === undefined;
  useEffect(() => (missing ? load() : undefined), [missing, load]);
  useLayoutEffect(() => {
    if (view !== undefined) document.title = `${view.title(page.state, names)} · Lastbyte`;
  }, [view, page.state, names]);
  if (view !== undefined) {
    shown.current = (
      <PageProvider key={nameOf(page.state)} value={page}>
        <view.View />
      </PageProvider>
    );
  } else if (waiting.entry === entry) {
    shown.current =
      'error' in waiting ? <FailedView error={waiting.error} retry={() => void load()} /> : <Loading shape="view" />;
  }
  return <>{shown.current}</>;
}

/** Pages of different hosts count as different views. */
function nameOf({ view, own }: ViewState): string {
  return `${view} ${own.page ?? ''}`;
}

/** Falls back to the first view if this one is unknown. */
function entryFor({ view }: ViewState): ViewEntry {
  const entry = viewNamed(view) ?? viewNamed(FIRST_VIEW);
  if (entry === undefined) throw new Error('VIEWS has no first view');
  return entry;
}
