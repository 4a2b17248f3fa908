import { parseHttpUrl } from '../../shared/redact/http-url.ts';
import type { TlsFacts } from '../../shared/timing/entry-context.ts';
import type { WebRequest } from '../platform.ts';

/** Hosts queried at once and origins remembered; the oldest is dropped first. */
const MAX_WATCHED = 20;
const MAX_KNOWN = 500;
const MAX_LENGTH = 256;

type BlockingWebRequest = Pick<WebRequest.Static, 'onHeadersReceived' | 'getSecurityInfo'>;
type Listener = Parameters<WebRequest.Static['onHeadersReceived']['addListener']>[0];

/**
 * Firefox reports a connection's TLS facts only to a listener that blocks the response, which costs each response one
 * to two milliseconds (measured: a fetch of 4 ms takes 6). So each origin is queried once in a background's life: the
 * listener exists from its first request until one response has the facts. They are used for all requests to the
 * origin, since the server's configuration decides them. Because it is added after start-up, the listener is not among
 * those for which Firefox delays requests until a sleeping background is up.
 */
export class TlsWatch {
  readonly #webRequest: BlockingWebRequest;
  readonly #known = new Map<string, TlsFacts>();
  readonly #watched = new Map<string, Listener>();

  constructor(webRequest: BlockingWebRequest) {
    this.#webRequest = webRequest;
  }

  /** Called when a request to this URL was just sent. */
  see(url: string): void {
    const parsed = parseHttpUrl(url);
    if (parsed?.scheme !== 'https' || this.#known.has(parsed.origin) || this.#watched.has(parsed.hostname)) return;
    const listener: Listener = (details) => {
      this.#ask(details.requestId, details.url, parsed.hostname);
    };
    this.#watched.set(parsed.hostname, listener);
    // Patterns have no ports: another port of the same host may answer first, and is then stored under its own origin.
    this.#webRequest.onHeadersReceived.addListener(listener, { urls: [`https://${parsed.hostname}/*`] }, ['blocking']);
    const [oldest] = this.#watched.keys();
    if (this.#watched.size > MAX_WATCHED && oldest !== undefined) this.#stop(oldest);
  }

  /** Null if it is not https or not known (yet). */
  of(url: string): TlsFacts | null {
    return this.#known.get(parseHttpUrl(url)?.origin ?? '') ?? null;
  }

  /** Not awaited by the listener: the query has to be started, not answered, before the response continues. */
  #ask(request: string, url: string, hostname: string): void {
    const origin = parseHttpUrl(url)?.origin ?? '';
    this.#webRequest.getSecurityInfo(request, {}).then(
      ({ protocolVersion, cipherSuite, keaGroupName, certificates }) => {
        if (protocolVersion === undefined) return;
        this.#known.set(origin, {
          version: word(protocolVersion),
          cipher: word(cipherSuite),
          keyExchange: word(keaGroupName),
          issuer: word(certificates[0]?.issuer),
        });
        const [oldest] = this.#known.keys();
        if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
        this.#stop(hostname);
      },
      () => {}, // the request had already ended; the next one is queried
    );
  }

  #stop(hostname: string): void {
    const listener = this.#watched.get(hostname);
    this.#watched.delete(hostname);
    if (listener) this.#webRequest.onHeadersReceived.removeListener(listener);
  }
}

function word(value: string | undefined): string | null {
  return value === undefined || value === '' || value === 'none' ? null : value.slice(0, MAX_LENGTH);
}
