import type { BrowserEngine } from '../../../shared/vocabulary/vocabulary.ts';

export interface BrowserOptions {
  readonly engine: BrowserEngine;
  /** Program file, as `findBrowser` returns it. */
  readonly executable: string;
  /** Unpacked extension to load; null for a browser without it. */
  readonly extensionDir: string | null;
  /**
   * Chromium resolves host names that match `pattern` (`*.test`) to `address` and leaves the others alone. Firefox
   * has no such pattern: there every name resolves to `address`, so nothing outside is reachable.
   */
  readonly resolveHosts: { readonly pattern: string; readonly address: string } | null;
  /**
   * PEM certificates trusted in this session's profile only. Chromium looks for their public keys among the
   * certificates a server sends, so the server of a trusted authority has to send the authority's certificate too.
   */
  readonly trust: readonly string[];
  readonly headless: boolean;
  /** Whether `open` may open the extension's own pages: Firefox must be started for it. */
  readonly extensionPages?: boolean;
  /** `socks5://host:port` for everything except 127.0.0.1, including subdomains of localhost; absent: no proxy. */
  readonly proxy?: string | null;
}

/** A running browser with its own fresh profile. */
export interface BrowserSession {
  readonly engine: BrowserEngine;
  /** Such as `156.0.8078.79`. */
  readonly version: string;
  /** Origin of the extension's own pages, such as `chrome-extension://<id>`; null if none was loaded. */
  readonly extensionOrigin: string | null;
  /** Opens a new tab and resolves once `url` has fired its load event. */
  open(url: string): Promise<BrowserTab>;
  /** Ends the browser and removes the profile. Calling it twice is harmless. */
  close(): Promise<void>;
}

export interface BrowserTab {
  /** Resolves once the load event has fired; rejects if the page cannot be reached. */
  goto(url: string): Promise<void>;
  /** Value of a JavaScript expression in the page's main world, promises awaited, as plain data. */
  evaluate(expression: string): Promise<unknown>;
  /** A real click, like a user's, on the first match. */
  click(selector: string): Promise<void>;
  screenshot(path: string): Promise<void>;
  close(): Promise<void>;
}
