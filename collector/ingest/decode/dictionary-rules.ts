import type { Sample } from '../../../shared/sample/sample.ts';
import { reasonsText } from '../../../shared/sample/sample-columns.ts';
import { BROWSER_ERRORS } from '../../../shared/vocabulary/browser-errors.ts';
import { isPlainText, PLAIN_TEXT } from '../../../shared/vocabulary/plain-text.ts';
import { TIME_NAMES } from '../../../shared/vocabulary/time-names.ts';
import { TLS_CIPHER, TLS_KEY_EXCHANGE, TLS_VERSION } from '../../../shared/vocabulary/tls-words.ts';
import {
  CONNECTION_EVIDENCE,
  CONNECTIONS,
  EXCLUSIONS,
  HANDSHAKE_EVIDENCE,
  HANDSHAKES,
  OTHER_PROBE,
  PROTOCOLS,
  RESOURCE_TYPES,
  RESPONSE_MARKS,
  SCHEMES,
  SOURCES,
  UNKNOWN_REASONS,
} from '../../../shared/vocabulary/vocabulary.ts';
import { MAX_STRING_LENGTH, OVERFLOW_NAME } from '../../../shared/vocabulary/wire-limits.ts';
import type { WireDictionaries } from '../../../shared/wire/wire-batch.ts';
import type { RowCode } from '../../../shared/wire/wire-codes.ts';

/** Validates the strings of one dictionary. An invalid one harms only the rows that point at it. */
export interface DictionaryRule {
  readonly code: RowCode;
  /** Whether null, for unknown, is legal in the column. */
  readonly nullable: boolean;
  /** The stored string; null if the entry is invalid. */
  readonly read: (entry: unknown) => string | null;
}

/** As in the settings: the id of a target or a journey. */
const ID = /^[a-z0-9][a-z0-9-]{0,62}$/;
/** `URL.hostname`: lower case, punycode, IPv6 in brackets; never a port, a user or a path. */
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]{2,45}\])$/;
/** An ALPN id as browsers spell it. */
const PROTOCOL = /^[!-~]{1,32}$/;
const PROBE = /^probe-[a-z0-9-]{1,60}$/;
/** The extension's word for errors without a known browser code. */
const OTHER_ERROR = 'other';
const RECORDING = /^har(?:-[a-z0-9-]{1,60})?$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: matching control characters is the purpose.
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * JSON can spell half of a surrogate pair (`\\ud800`), which UTF-8 can't: a database would store a different text and not
 * find the original.
 */
const isText = (entry: string): boolean =>
  entry.length <= MAX_STRING_LENGTH && !CONTROL.test(entry) && entry.isWellFormed();
const textThat =
  (accepts: (entry: string) => boolean): DictionaryRule['read'] =>
  (entry) =>
    typeof entry === 'string' && accepts(entry) ? entry : null;
const word = textThat((entry) => isText(entry) && entry !== '');
const matches = (pattern: RegExp) => textThat((entry) => isText(entry) && pattern.test(entry));
/** A string of the list; `other` for any that `readOther` accepts. */
const oneOfOr = (
  words: readonly string[],
  other: string,
  readOther: DictionaryRule['read'],
): DictionaryRule['read'] => {
  const known = new Set([...words, other]);
  return (entry) => {
    if (typeof entry === 'string' && known.has(entry)) return entry;
    return readOther(entry) === null ? null : other;
  };
};
/** The same for a pattern, which must match few strings in order to bound them. */
const matchesOr =
  (pattern: RegExp): DictionaryRule['read'] =>
  (entry) =>
    word(entry) !== null && !pattern.test(entry as string) ? OVERFLOW_NAME : word(entry);
const oneOf = (words: readonly string[]) => textThat((entry) => words.includes(entry));

export const DICTIONARY_RULES: Readonly<Record<keyof WireDictionaries, DictionaryRule>> = {
  target: { code: 'bad_target', nullable: false, read: matches(ID) },
  host: {
    code: 'bad_host',
    nullable: false,
    read: textThat((entry) => entry === OVERFLOW_NAME || (isText(entry) && entry.length <= 253 && HOST.test(entry))),
  },
  scheme: { code: 'bad_scheme', nullable: false, read: oneOf(SCHEMES) },
  template: { code: 'bad_template', nullable: false, read: textThat(isTemplate) },
  type: { code: 'bad_type', nullable: false, read: oneOf(RESOURCE_TYPES) },
  protocol: { code: 'bad_protocol', nullable: true, read: oneOfOr(PROTOCOLS, OVERFLOW_NAME, matches(PROTOCOL)) },
  source: { code: 'bad_source', nullable: false, read: readSource },
  connection: { code: 'bad_connection', nullable: false, read: oneOf(CONNECTIONS) },
  connectionEvidence: {
    code: 'bad_connection_evidence',
    nullable: false,
    read: oneOfOr(CONNECTION_EVIDENCE, OVERFLOW_NAME, word),
  },
  handshake: { code: 'bad_handshake', nullable: false, read: oneOf(HANDSHAKES) },
  handshakeEvidence: {
    code: 'bad_handshake_evidence',
    nullable: true,
    read: oneOfOr(HANDSHAKE_EVIDENCE, OVERFLOW_NAME, word),
  },
  excluded: { code: 'bad_excluded', nullable: true, read: oneOf(EXCLUSIONS) },
  error: { code: 'bad_error', nullable: true, read: oneOfOr(BROWSER_ERRORS, OTHER_ERROR, word) },
  responseMark: { code: 'bad_response_mark', nullable: true, read: oneOf(RESPONSE_MARKS) },
  unknown: { code: 'bad_unknown', nullable: true, read: readReasons },
  tlsVersion: { code: 'bad_tls', nullable: true, read: matchesOr(TLS_VERSION) },
  tlsCipher: { code: 'bad_tls', nullable: true, read: matchesOr(TLS_CIPHER) },
  tlsKeyExchange: { code: 'bad_tls', nullable: true, read: matchesOr(TLS_KEY_EXCHANGE) },
  // A certificate says what it likes, and must not cost the times measured with it.
  tlsIssuer: { code: 'bad_tls', nullable: true, read: matchesOr(new RegExp(PLAIN_TEXT, 'u')) },
  journey: {
    code: 'bad_journey',
    nullable: true,
    read: textThat((entry) => entry === OVERFLOW_NAME || ID.test(entry)),
  },
};

const readRecording = matches(RECORDING);
const readBrowserSource = oneOfOr(SOURCES, OTHER_PROBE, matches(PROBE));

/** Labels of recordings are the admin's own; `validateColumns` rejects recordings sent by browsers. */
function readSource(entry: unknown): string | null {
  return readRecording(entry) ?? readBrowserSource(entry);
}

/** The extension never sends queries and fragments, so a template with one comes from elsewhere and isn't stored. */
function isTemplate(entry: string): boolean {
  if (entry === OVERFLOW_NAME) return true;
  return isText(entry) && isPlainText(entry) && entry.startsWith('/') && !entry.includes('?') && !entry.includes('#');
}

/** `{"tls":"plain_http"}`; own keys only, so `__proto__` is just an unknown name. */
function readReasons(entry: unknown): string | null {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return null;
  const known = Object.entries(entry).every(
    ([name, reason]) =>
      (TIME_NAMES as readonly string[]).includes(name) && (UNKNOWN_REASONS as readonly unknown[]).includes(reason),
  );
  return known ? reasonsText(entry as Sample['unknown']) : null;
}
