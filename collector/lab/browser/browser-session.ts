import type { BrowserEngine } from '../../../shared/vocabulary/vocabulary.ts';

export interface BrowserOptions {
  readonly engine: BrowserEngine;
  /** Program file, as `findBrowser` returns it. */
  readonly executable: string;
  /** Unpacked extension to load; null for a browser without it. */
  readonly extensionDir: string | null;
  /**
   * Chromium resolves host names that match `pattern` (`*.test`) to `address` and leaves the others alone. Firefox
   * has no such pattern: there every name resolves to `address`, so that nothing outside can be reached.
   */
  readonly resolveHosts: { readonly pattern: string; readonly address: string } | null;
  /**
   * PEM certificates trusted in this session's profile only. Chromium compares public keys with what the server
   * sends, so a server whose authority is named here has to send the authority's certificate too.
   */
  readonly trust: readonly string[];
  readonly headless: boolean;
  /** Whether `open` shall open the extension's own pages: Firefox must be started for it. */
  readonly extensionPages?: boolean;
  /** `socks5://host:port` for everything but 127.0.0.1, names below localhost included; absent goes directly. */
  readonly proxy?: string | null;
}

/** A running browser with a fresh profile of its own. */
export interface BrowserSession {
  readonly engine: BrowserEngine;
  /** Such as `156.0.8078.79`. */
  readonly version: string;
  /** Origin of the extension's own pages, such as `chrome-extension://<id>`; null where none was loaded. */
  readonly extensionOrigin: string | null;
  /** Opens a tab of its own and resolves once `url` has fired its load event. */
  open(url: string): Promise<BrowserTab>;
  /** Ends the browser and removes the profile. Calling it twice is harmless. */
  close(): Promise<void>;
}

export interface BrowserTab {
  /** Resolves once the load event fired; rejects where the page cannot be reached. */
  goto(url: string): Promise<void>;
  /** Value of a JavaScript expression in the page's own world, promises awaited, as plain data. */
  evaluate(expression: string): Promise<unknown>;
  /** A real click on the first match, as a user makes it. */
  click(selector: string): Promise<void>;
  screenshot(path: string): Promise<void>;
  close(): Promise<void>;
}

/** The browser could not be started; `hint` says what to try. */
export class BrowserError extends Error {
  readonly code = 'browser_failed';
  readonly hint: string;

  constructor(message: string, hint: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'BrowserError';
    this.hint = hint;
  }
}
