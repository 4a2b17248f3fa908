import {
  CONNECTIONS,
  EXCLUSIONS,
  HANDSHAKES,
  RESOURCE_TYPES,
  RESPONSE_MARKS,
  SCHEMES,
  UNKNOWN_REASONS,
} from '../sample/vocabulary.ts';
import { TIME_NAMES } from '../timing/time-names.ts';
import type { WireDictionaries } from './wire-batch.ts';
import type { RowCode } from './wire-codes.ts';
import { MAX_STRING_LENGTH, OVERFLOW_NAME } from './wire-limits.ts';

/** What one dictionary may hold. A bad entry harms only the rows that point at it. */
export interface DictionaryRule {
  readonly code: RowCode;
  /** A null in the column is a legal "not known". */
  readonly nullable: boolean;
  readonly accepts: (entry: unknown) => boolean;
}

/** As in the settings: a target's id. */
const TARGET_ID = /^[a-z0-9][a-z0-9-]{0,62}$/;
/** `URL.hostname`: lower case, punycode, IPv6 in brackets; never a port, a user or a path. */
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]{2,45}\])$/;
/** An ALPN id as browsers spell it. */
const PROTOCOL = /^[!-~]{1,32}$/;
const SOURCE = /^(?:page|probe-[a-z0-9-]{1,60})$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Browsers send the same few names all day. Beyond this many, remembering starts anew: what is sent may not fill memory. */
const MAX_REMEMBERED = 10_000;

/** Judges a string it has accepted before by a look-up; what it refuses is not remembered. */
function remembering(accepts: (entry: unknown) => boolean): (entry: unknown) => boolean {
  const accepted = new Set<unknown>();
  return (entry) => {
    if (typeof entry !== 'string') return accepts(entry);
    if (accepted.has(entry)) return true;
    if (!accepts(entry)) return false;
    if (accepted.size >= MAX_REMEMBERED) accepted.clear();
    accepted.add(entry);
    return true;
  };
}

const isText = (entry: unknown): entry is string =>
  typeof entry === 'string' && entry.length <= MAX_STRING_LENGTH && !CONTROL.test(entry);
const isWord = (entry: unknown): boolean => isText(entry) && entry !== '';
const matches = (pattern: RegExp) => remembering((entry) => isText(entry) && pattern.test(entry));
const oneOf = (words: readonly string[]) => (entry: unknown) => typeof entry === 'string' && words.includes(entry);

export const DICTIONARY_RULES: Readonly<Record<keyof WireDictionaries, DictionaryRule>> = {
  target: { code: 'bad_target', nullable: false, accepts: matches(TARGET_ID) },
  host: {
    code: 'bad_host',
    nullable: false,
    accepts: remembering(
      (entry) => entry === OVERFLOW_NAME || (isText(entry) && entry.length <= 253 && HOST.test(entry)),
    ),
  },
  scheme: { code: 'bad_scheme', nullable: false, accepts: oneOf(SCHEMES) },
  template: { code: 'bad_template', nullable: false, accepts: remembering(isTemplate) },
  type: { code: 'bad_type', nullable: false, accepts: oneOf(RESOURCE_TYPES) },
  protocol: { code: 'bad_protocol', nullable: true, accepts: matches(PROTOCOL) },
  source: { code: 'bad_source', nullable: false, accepts: matches(SOURCE) },
  connection: { code: 'bad_connection', nullable: false, accepts: oneOf(CONNECTIONS) },
  connectionEvidence: { code: 'bad_connection_evidence', nullable: false, accepts: remembering(isWord) },
  handshake: { code: 'bad_handshake', nullable: false, accepts: oneOf(HANDSHAKES) },
  handshakeEvidence: { code: 'bad_handshake_evidence', nullable: true, accepts: remembering(isWord) },
  excluded: { code: 'bad_excluded', nullable: true, accepts: oneOf(EXCLUSIONS) },
  error: { code: 'bad_error', nullable: true, accepts: remembering(isWord) },
  responseMark: { code: 'bad_response_mark', nullable: true, accepts: oneOf(RESPONSE_MARKS) },
  unknown: { code: 'bad_unknown', nullable: true, accepts: isReasons },
  tlsVersion: { code: 'bad_tls', nullable: true, accepts: remembering(isWord) },
  tlsCipher: { code: 'bad_tls', nullable: true, accepts: remembering(isWord) },
  tlsKeyExchange: { code: 'bad_tls', nullable: true, accepts: remembering(isWord) },
  tlsIssuer: { code: 'bad_tls', nullable: true, accepts: remembering(isWord) },
};

/** Queries and fragments never leave the browser; what carries one was made by something else and isn't stored. */
function isTemplate(entry: unknown): boolean {
  if (entry === OVERFLOW_NAME) return true;
  return isText(entry) && entry.startsWith('/') && !entry.includes('?') && !entry.includes('#');
}

/** `{"tls":"plain_http"}`; own keys only, so `__proto__` is just a name nobody knows. */
function isReasons(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return false;
  return Object.entries(entry).every(
    ([name, reason]) =>
      (TIME_NAMES as readonly string[]).includes(name) && (UNKNOWN_REASONS as readonly unknown[]).includes(reason),
  );
}
