import { createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import type { ApiClient, SessionRole } from '../api/api-client.ts';
import type { QueryCache } from '../query-cache/query-cache.ts';
import type { ViewState } from '../state/view-state.ts';

/** Event of the window before a user signs out; one that is prevented keeps the session. */
export const SIGNING_OUT = 'signing-out';

/** Available to every component on the page. */
export interface PageContext {
  readonly state: ViewState;
  readonly role: SessionRole;
  readonly client: ApiClient;
  readonly cache: QueryCache;
  now(): number;
  /** The address of a state. */
  link(to: ViewState): string;
  navigate(to: ViewState): void;
  /** Writes to the live region for screen readers. */
  announce(news: string): void;
}

const Page = createContext<PageContext | null>(null);
export const PageProvider = Page.Provider;

/** True in a part of the page that is about to be replaced: it keeps what it shows and reads nothing. */
export const StandIn = createContext(false);

export function usePage(): PageContext {
  const page = useContext(Page);
  if (page === null) throw new Error('There is no page here.');
  return page;
}

/** Announces new content to screen readers. */
export function useAnnouncement(news: string): void {
  const { announce } = usePage();
  useEffect(() => announce(news), [announce, news]);
}
