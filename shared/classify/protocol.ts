import { PROTOCOLS } from '../vocabulary/vocabulary.ts';
import { OVERFLOW_NAME } from '../vocabulary/wire-limits.ts';

/** What tools write if they know no protocol. */
const NOT_STATED: ReadonlySet<string> = new Set(['', '-', '-1', '?', 'n/a', 'none', 'null', 'undefined', 'unknown']);
/** The version in `HTTP/1.1`, `1.1`, `http2`, `HTTP_1_1`, `HTTP/2 200`. */
const VERSION = /^(?:https?[\s/_-]?)?v?(\d)(?:[._](\d))?(?!\w|\.)/;

/** Other protocols: `spdy/3.1`, `http/4`, `h4-01`, `websocket`. Tools also write parts of headers. */
const NAME = /^(?:[a-z][a-z0-9+-]{0,19}\/\d[\d.]{0,7}|h\d[a-z0-9-]{0,9}|spdy|websocket|webrtc|c-webrtc|ftp)$/;

const BY_VERSION: Readonly<Record<string, string>> = {
  '0.9': 'http/0.9',
  '1.0': 'http/1.0',
  '1.1': 'http/1.1',
  '2': 'h2',
  '2.0': 'h2',
  '3': 'h3',
  '3.0': 'h3',
};

/**
 * The ALPN id of a protocol as spelled by any browser or tool; `(other)` for one without an id of ours (SPDY); null if none
 * is stated. https://www.iana.org/assignments/tls-extensiontype-values/tls-extensiontype-values.xhtml#alpn-protocol-ids
 */
export function toProtocol(stated: string): string | null {
  const text = stated.trim().toLowerCase();
  if (NOT_STATED.has(text)) return null;
  if (text === OVERFLOW_NAME || (PROTOCOLS as readonly string[]).includes(text)) return text;
  // Before the versions: Google's QUIC called itself `http/2+quic/46` and `quic/1+spdy/3`.
  if (/^hq(-|$)|\bquic\b/.test(text)) return 'hq';
  if (/^h3(-|$)/.test(text)) return 'h3';
  if (/^h2(-|$)/.test(text)) return 'h2';
  const [, major, minor] = VERSION.exec(text) ?? [];
  const version = minor === undefined ? major : `${major}.${minor}`;
  return BY_VERSION[version ?? ''] ?? (NAME.test(text) ? OVERFLOW_NAME : null);
}
