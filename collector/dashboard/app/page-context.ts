import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ApiClient, SessionRole } from '../api/api-client.ts';
import type { QueryCache } from '../query-cache/query-cache.ts';
import type { ViewState } from '../state/view-state.ts';

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
