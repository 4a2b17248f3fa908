import type { ApiClient, SessionRole } from '../api/api-client.ts';
import { ApiError, UnreachableError } from '../api/api-error.ts';
import { asApiError, describeError } from '../api/describe-error.ts';
import { createReadings } from '../readings/readings.ts';
import { loadCharts } from '../render/chart-figure.ts';
import { errorView, loadingView, unreachableView } from '../render/states.ts';
import { takeToken } from '../state/take-token.ts';
import { startClock } from './clock.ts';
import { brand } from './page-header.ts';
import { createPages } from './pages.ts';
import type { Regions } from './regions.ts';
import { showOverall } from './show-overall.ts';
import { signInView } from './sign-in.ts';

/** Who is signed in → which view the URL asks for → its panels. */
export function startApp(regions: Regions, client: ApiClient, now: () => number): void {
  const given = takeToken();
  const readings = createReadings(now, changed);
  const status = () => showOverall(regions.status, readings, now);
  const pages = createPages({
    regions,
    client,
    readings,
    askAhead: given === null,
    now,
    signOut: () => void signOut(),
  });
  const clock = startClock(readings, pages.moving, status);
  let told = false;

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
    told = false;
    await pages.enter(role);
    // What was asked ahead may have been answered before anybody was told.
    changed();
    loadCharts().catch(() => {
      // Only fetched ahead here: the chart that needs it says so itself.
    });
    // The form had the focus and is gone: reading goes on at the numbers.
    if (byHand) regions.main.focus();
  }

  function showSignIn(problem: string | null): void {
    clock.rest();
    pages.leave();
    readings.forget();
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

  /** Something was read, or could not be. */
  function changed(): void {
    if (!pages.entered) return;
    if (readings.overall().denied) {
      // Every panel fails at once; the form is shown for the first.
      if (told) return;
      told = true;
      queueMicrotask(() => showSignIn('Your session has ended. Sign in again.'));
      return;
    }
    status();
    clock.plan();
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
