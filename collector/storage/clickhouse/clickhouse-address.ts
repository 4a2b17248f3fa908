import { StoreError } from '../store-error.ts';

/** Where the samples are, as plain data that can be sent to a thread. */
export interface ClickHouseAddress {
  /** The URL of its HTTP interface, such as `http://ch1:8123`. */
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

const SCHEMES = { 'clickhouse:': 'http', 'clickhouses:': 'https' } as const;
const DEFAULT_PORT = { http: 8123, https: 8443 } as const;
/** A name that needs no quotes in a statement. */
const NAME = /^[a-z_][a-z0-9_]{0,63}$/i;

/**
 * Reads `clickhouse://user@ch1:8123/lastbyte`; `clickhouses` for TLS. The password is not part of it: command lines are
 * visible to other users. Throws a StoreError.
 */
export function parseClickHouseAddress(text: string, password = ''): ClickHouseAddress {
  const parts = /^(clickhouses?:)\/\/(?:([^@/]+)@)?([^@/?#]+)\/([^/?#]+)$/.exec(text);
  const [, scheme = '', user = 'default', host = '', database = ''] = parts ?? [];
  if (parts === null || !NAME.test(database)) {
    throw unusable(
      'the address of ClickHouse cannot be read',
      'It looks like this: clickhouse://user@ch1:8123/lastbyte',
    );
  }
  if (user.includes(':')) {
    throw unusable(
      'the address of ClickHouse contains a password, which other users of this machine could see',
      'Put it into the environment variable LASTBYTE_CLICKHOUSE_PASSWORD.',
    );
  }
  const protocol = SCHEMES[scheme as keyof typeof SCHEMES];
  const url = `${protocol}://${/:\d+$/.test(host) ? host : `${host}:${DEFAULT_PORT[protocol]}`}`;
  if (host.includes(',') || !URL.canParse(url)) {
    throw unusable(
      `${host} is not the name of one host`,
      'Name one host. Servers that replicate are reached through one name or a load balancer.',
    );
  }
  return { url, user: decodeURIComponent(user), password, database };
}

function unusable(message: string, hint: string): StoreError {
  return new StoreError('samples_unreachable', message, hint);
}
