import type { ApiClient, SessionRole } from '../api/api-client.ts';
import { ApiError, UnreachableError } from '../api/api-error.ts';
import { asApiError, describeError } from '../api/describe-error.ts';
import { createQueryCache } from '../query-cache/query-cache.ts';
import { loadCharts } from '../render/chart-figure.ts';
import { errorView, loadingView, unreachableView } from '../render/states.ts';
import { startRefreshTimer } from './clock.ts';
import { brand } from './page-header.ts';
import { createPages } from './pages.ts';
import type { Regions } from './regions.ts';
import { signInView } from './sign-in.ts';
import { showStatus } from './status-line.ts';

/** The session → the view that the URL names → its panels. */
export function startApp(regions: Regions, client: ApiClient, now: () => number): void {
  const given = takeToken();
  const cache = createQueryCache(now, changed);
  const status = () => showStatus(regions.status, cache, now);
  const pages = createPages({
    regions,
    client,
    cache,
    prefetch: given === null,
    now,
    signOut: () => void signOut(),
  });
  const timer = startRefreshTimer(cache, pages.moving, status);
  let expired = false;

  async function start(token: string | null, byHand = false): Promise<void> {
    regions.main.replaceChildren(loadingView());
    let role: SessionRole | null;
    try {
      role = token === null ? await client.role() : await client.signIn(token);
    } catch (error) {
      if (error instanceof ApiError && token !== null) showSignIn(describeError(error));
      else showFailure(error, () => void start(token, byHand));
      return;
    }
    if (role === null) return showSignIn(null);
    expired = false;
    await pages.enter(role);
    // A prefetched query may have been answered before there was a page to show it.
    changed();
    loadCharts().catch(() => {
      // Prefetch only: a chart that needs the library reports the error.
    });
    // The sign-in form had the focus and is gone: move it to the content.
    if (byHand) regions.main.focus();
  }

  function showSignIn(problem: string | null): void {
    timer.stop();
    pages.leave();
    cache.clear();
    document.title = 'Sign in · Lastbyte';
    regions.main.replaceChildren(signInView(problem, (token) => void start(token, true)));
    regions.main.querySelector('input')?.focus();
  }

  async function signOut(): Promise<void> {
    try {
      await client.signOut();
      showSignIn(null);
    } catch (error) {
      regions.news.textContent = `You are still signed in. ${describeError(error)}`;
    }
  }

  /** A query changed its state. */
  function changed(): void {
    if (!pages.entered) return;
    if (cache.status().denied) {
      // Every panel fails at once; show the form once.
      if (expired) return;
      expired = true;
      queueMicrotask(() => showSignIn('Your session has ended. Sign in again.'));
      return;
    }
    status();
    timer.plan();
  }

  function showFailure(error: unknown, retry: () => void): void {
    regions.status.replaceChildren();
    const unreachable = error instanceof UnreachableError;
    regions.main.replaceChildren(unreachable ? unreachableView(retry) : errorView(asApiError(error), retry));
    regions.news.textContent = describeError(error);
  }

  regions.header.replaceChildren(brand());
  void start(given);
}

/** A token in the URL's fragment is used once and removed from the address and the history at once. */
function takeToken(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return token === '' ? null : token;
}
