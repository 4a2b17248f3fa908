import { parseHTML } from 'linkedom';
import { type ComponentChildren, render } from 'preact';
import { act } from 'preact/test-utils';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import type { ApiClient } from '../../../collector/dashboard/api/api-client.ts';
import { type PageContext, PageProvider } from '../../../collector/dashboard/app/page-context.ts';
import { createQueryCache, type QueryCache } from '../../../collector/dashboard/query-cache/query-cache.ts';
import { parseViewState } from '../../../collector/dashboard/state/view-state.ts';

/** Components of the dashboard in a document that has no layout, with timers that the test moves. */
export interface Mount {
  readonly root: Element;
  /** The cache of the running test. */
  readonly cache: QueryCache;
  /** The client of the running test, without methods: a test adds those that its components call. */
  readonly client: ApiClient;
  /** Shows these components in place of those before, and runs their effects. */
  show(children: ComponentChildren, more?: Partial<PageContext>): Promise<void>;
  /** Runs what changes the page, and the effects of the change. */
  act(change: () => void): Promise<void>;
  pass(milliseconds: number): Promise<void>;
  press(button: string): Promise<void>;
}

/** Registers hooks; every test has its own cache. */
export function useMount(): Mount {
  const { document, Event: DocumentEvent } = parseHTML('<!doctype html><html><body></body></html>');
  const root = document.body;
  let page: PageContext;
  beforeAll(() => vi.stubGlobal('document', document));
  afterAll(() => vi.unstubAllGlobals());
  beforeEach(() => {
    vi.useFakeTimers();
    page = {
      state: parseViewState(''),
      role: 'read',
      client: {} as ApiClient,
      cache: createQueryCache(Date.now),
      now: Date.now,
      link: () => '/',
      navigate: () => {},
      announce: () => {},
    };
  });
  afterEach(async () => {
    await act(() => render(null, root));
    vi.useRealTimers();
  });
  const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds).then(() => {}));
  const change = async (make: () => void) => {
    await act(make);
    await pass(0);
  };
  return {
    root,
    get cache() {
      return page.cache;
    },
    get client() {
      return page.client;
    },
    show: (children, more = {}) => {
      Object.assign(page, more);
      return change(() => render(<PageProvider value={{ ...page }}>{children}</PageProvider>, root));
    },
    act: change,
    pass,
    press: (name) =>
      change(() => {
        const found = [...root.querySelectorAll('button')].find(({ textContent }) => textContent === name);
        if (found === undefined) throw new Error(`There is no button ${name}.`);
        found.click();
        // This document does not submit by itself.
        if (found.type === 'submit')
          found.closest('form')?.dispatchEvent(new DocumentEvent('submit', { cancelable: true }));
      }),
  };
}
