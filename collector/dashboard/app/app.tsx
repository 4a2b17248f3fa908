import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ApiClient, SessionRole } from '../api/api-client.ts';
import { ApiError } from '../api/api-error.ts';
import { describeError } from '../api/describe-error.ts';
import { loadCharts } from '../components/load-charts.ts';
import { FailedView, Loading } from '../components/states.tsx';
import { createQueryCache } from '../query-cache/query-cache.ts';
import { parseViewState } from '../state/view-state.ts';
import { t } from '../text/t.ts';
import { Frame } from './frame.tsx';
import { Page } from './page.tsx';
import { SIGNING_OUT } from './page-context.ts';
import { SignIn } from './sign-in.tsx';
import { Tooltip } from './tooltip.tsx';
import { loadView, viewNamed } from './views.ts';

type Session =
  | { readonly kind: 'starting' }
  | { readonly kind: 'signed-out'; readonly problem: string | null }
  | { readonly kind: 'failed'; readonly error: unknown; retry(): void }
  | { readonly kind: 'signed-in'; readonly role: SessionRole; readonly byHand: boolean };

interface AppProps {
  readonly client: ApiClient;
  /** A token to sign in with; null if a session may exist already. */
  readonly token: string | null;
  now(): number;
}

/** The session → the view that the URL names → its panels. */
export function App({ client, token: given, now }: AppProps) {
  const cache = useMemo(() => createQueryCache(now), [now]);
  const [session, setSession] = useState<Session>({ kind: 'starting' });
  const [news, setNews] = useState('');

  async function start(token: string | null, byHand = false): Promise<void> {
    setSession({ kind: 'starting' });
    try {
      const role = token === null ? await client.role() : await client.signIn(token);
      setSession(role === null ? { kind: 'signed-out', problem: null } : { kind: 'signed-in', role, byHand });
      if (role === null) return;
      loadCharts().catch(() => {
        // Prefetch only: a chart that needs the library reports the error.
      });
    } catch (error) {
      if (error instanceof ApiError && token !== null) {
        setSession({ kind: 'signed-out', problem: describeError(error) });
        return;
      }
      setSession({ kind: 'failed', error, retry: () => void start(token, byHand) });
      setNews(describeError(error));
    }
  }

  async function signOut(): Promise<void> {
    if (!dispatchEvent(new Event(SIGNING_OUT, { cancelable: true }))) return;
    try {
      await client.signOut();
      setSession({ kind: 'signed-out', problem: null });
    } catch (error) {
      setNews(t.app.signIn.stillSignedIn(describeError(error)));
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    // In parallel with the request for the session: neither the script nor the first query waits for it.
    const state = parseViewState(location.search);
    const requested = viewNamed(state.view);
    if (requested !== undefined) {
      loadView(requested).then(
        (view) => {
          const first = given === null ? view.first?.({ state, client, now }) : undefined;
          if (first !== undefined) cache.prefetch(first.key, first.read);
        },
        () => {
          // Prefetch only: opening the view reports the error.
        },
      );
    }
    void start(given);
  }, []);

  const signedIn = session.kind === 'signed-in';
  const { denied } = cache.status.value;
  useEffect(() => {
    if (denied && signedIn) setSession({ kind: 'signed-out', problem: t.app.signIn.ended });
  }, [denied, signedIn]);
  useEffect(() => {
    if (session.kind === 'signed-out') cache.clear();
  }, [cache, session.kind]);

  return (
    <>
      {session.kind === 'signed-in' ? (
        <Page
          focused={session.byHand}
          role={session.role}
          client={client}
          cache={cache}
          now={now}
          announce={setNews}
          signOut={() => void signOut()}
        />
      ) : (
        <Frame>
          {session.kind === 'starting' ? (
            <Loading shape="view" />
          ) : session.kind === 'failed' ? (
            <FailedView error={session.error} retry={session.retry} />
          ) : (
            <SignIn problem={session.problem} signIn={(token) => void start(token, true)} />
          )}
        </Frame>
      )}
      <p id="news" class="spoken" role="status" aria-live="polite">
        {news}
      </p>
      <Tooltip />
    </>
  );
}

/** A token in the URL's fragment is used once and removed from the address and the history at once. */
export function takeToken(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return token === '' ? null : token;
}
