import { StoreError } from '../store-error.ts';

/** Of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html), by the beginning of their code. */
const AWAY = /^(08|57P|53300|25006|25P03|3F000|42P01)/;
const REFUSED = /^(28|3D000|42501)/;
const BUSY = /^(55P03|57014|40)/;
/** No connection of the pool became free: https://node-postgres.com/apis/pool */
const BUSY_TEXT = 'timeout exceeded when trying to connect';
const FULL = /^53100/;
/** Of Node's sockets. */
const NETWORK = /^E(CONN|HOST|NET|TIMEDOUT|PIPE|AI_AGAIN|NOTFOUND|NOENT)|^EAI_AGAIN|^ENOTFOUND/;
const TLS = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;
/** Errors that pg throws without a code. */
const CONNECTION_TEXT = /connection|timeout|not queryable|Cannot use a pool/i;
const PASSWORD_TEXT = /password|SASL/i;
const NO_TLS_TEXT = /does not support SSL/i;

/** PostgreSQL's errors in the words of the Store contract. */
export function translateError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const text = error instanceof Error ? error.message : String(error);
  // Without the address: Node puts it into the message.
  const reason = NETWORK.test(code) ? code : text;
  if (TLS.test(code) || NO_TLS_TEXT.test(text)) {
    return refused(reason, 'Check sslrootcert and the host name in the address of the control database.', error);
  }
  if (REFUSED.test(code) || (code === '' && PASSWORD_TEXT.test(text))) {
    const hint =
      'Check user, password (PGPASSWORD) and database; the user has to own the database or its schema lastbyte.';
    return refused(reason, hint, error);
  }
  if (BUSY.test(code) || text === BUSY_TEXT) {
    return new StoreError('store_busy', 'the control database is busy', 'Try again in a moment.', error);
  }
  if (AWAY.test(code) || NETWORK.test(code) || (code === '' && CONNECTION_TEXT.test(text))) {
    return unreachable(reason, error);
  }
  if (FULL.test(code)) {
    return new StoreError('store_full', "the control database's disk is full", 'Free space on its disk.', error);
  }
  return new StoreError('store_failed', 'the control database failed', 'This is a defect; please report it.', error);
}

export function unreachable(reason: string, cause?: unknown): StoreError {
  const hint = 'Check that PostgreSQL runs and can be reached from here. Batches are accepted meanwhile.';
  return new StoreError('control_unreachable', `the control database is unreachable (${reason})`, hint, cause);
}

function refused(reason: string, hint: string, cause: unknown): StoreError {
  return new StoreError('control_refused', `the control database refuses this collector (${reason})`, hint, cause);
}
