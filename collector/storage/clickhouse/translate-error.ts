import { StoreError } from '../store-error.ts';

/** https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp */
const TOO_LARGE: ReadonlySet<string> = new Set(['158', '159', '160', '241', '307', '396']);

const WRONG_USER = [
  'ClickHouse does not accept the user or the password',
  'Check the user in the address, and the password in LASTBYTE_CLICKHOUSE_PASSWORD.',
] as const;
const NO_PRIVILEGE = [
  "ClickHouse's user may not do what the collector needs",
  'Grant the user what docs/scale.md lists.',
] as const;
const WRONG_PROFILE = [
  "the profile of ClickHouse's user forbids settings that the collector needs",
  'Give the user a profile without readonly and without constraints.',
] as const;

/** What an administrator of ClickHouse has to change: a message and a hint for each. */
const REFUSALS: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  // UNKNOWN_USER, WRONG_PASSWORD, REQUIRED_PASSWORD, AUTHENTICATION_FAILED
  192: WRONG_USER,
  193: WRONG_USER,
  194: WRONG_USER,
  516: WRONG_USER,
  // DATABASE_ACCESS_DENIED, ACCESS_DENIED
  291: NO_PRIVILEGE,
  497: NO_PRIVILEGE,
  // READONLY, SETTING_CONSTRAINT_VIOLATION
  164: WRONG_PROFILE,
  452: WRONG_PROFILE,
  // UNKNOWN_DATABASE
  81: [
    'ClickHouse does not have the database',
    'Create it (CREATE DATABASE), or correct its name at the end of the address.',
  ],
  // UNKNOWN_SETTING
  115: [
    'ClickHouse lacks a setting that the collector needs',
    'Use the version that docs/scale.md names, or a later one.',
  ],
  // NOT_ENOUGH_SPACE
  243: ['a disk of ClickHouse is full', 'Free space on it: samples wait here meanwhile.'],
};

/** Such as "it's necessary to have the grant ALTER DELETE ON lastbyte.client". */
const MISSING_GRANT = /the grant ([A-Z][\w ,()*.`]*\w)/;
const TLS = /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;
/**
 * Of replicated tables: SOCKET_TIMEOUT, NETWORK_ERROR, NO_ZOOKEEPER, TABLE_IS_READ_ONLY, ALL_CONNECTION_TRIES_FAILED,
 * KEEPER_EXCEPTION.
 */
const PART_AWAY: ReadonlySet<string> = new Set(['209', '210', '225', '242', '279', '999']);
const NOTHING_LOST = 'Nothing is lost: what a collector has accepted waits in its data folder.';

export interface StatementFailure {
  /** A number if the server refused, otherwise a code such as ECONNREFUSED, or nothing. */
  readonly code: string;
  readonly message: string;
}

/**
 * ClickHouse's errors, and those on the way to it, in the words of the Store contract.
 *
 * @param isQuestion a statement that writes nothing
 */
export function translateError({ code, message }: StatementFailure, isQuestion: boolean): StoreError {
  const cause = new Error(`ClickHouse: ${code} ${message}`);
  if (isQuestion && TOO_LARGE.has(code)) {
    return new StoreError(
      'answer_too_large',
      'the answer needs more time or memory at ClickHouse than one query may use',
      'Request a shorter range, group by fewer dimensions, or filter.',
      cause,
    );
  }
  const refusal = REFUSALS[code];
  if (refusal !== undefined) {
    const [text, hint] = refusal;
    const missing = MISSING_GRANT.exec(message)?.[1] ?? code;
    return new StoreError('samples_refused', `${text} (${missing})`, hint, cause);
  }
  if (PART_AWAY.has(code)) {
    return new StoreError(
      'samples_unreachable',
      `a replica of ClickHouse or its Keeper cannot be reached (${code})`,
      `${NOTHING_LOST} See system.replicas there.`,
      cause,
    );
  }
  if (/^\d+$/.test(code)) {
    return new StoreError(
      'store_failed',
      `ClickHouse refused a statement (${code})`,
      'See its message in the log.',
      cause,
    );
  }
  const hint = TLS.test(code)
    ? 'Use clickhouses:// with a port for TLS, clickhouse:// with one without. NODE_EXTRA_CA_CERTS names the certificates of your own authority.'
    : 'Check the host and the port in the address of ClickHouse, and that it runs.';
  return new StoreError(
    'samples_unreachable',
    `ClickHouse cannot be reached (${code || message})`,
    `${NOTHING_LOST} ${hint}`,
    cause,
  );
}
