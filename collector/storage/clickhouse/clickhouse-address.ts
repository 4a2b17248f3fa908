import { StoreError } from '../store-error.ts';

/** Where the samples are, as plain data that can be sent to a thread. */
export interface ClickHouseAddress {
  /** Of its HTTP interface, such as `http://ch1:8123`; the first that answers is used. */
  readonly hosts: readonly string[];
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Whose shards and replicas have the samples, by its name in `remote_servers`; null for one server. */
  readonly cluster: string | null;
}

const SCHEMES = { 'clickhouse:': 'http', 'clickhouses:': 'https' } as const;
const DEFAULT_PORT = { http: 8123, https: 8443 } as const;
/** A name that needs no quotes in a statement. */
const NAME = /^[a-z_][a-z0-9_]{0,63}$/i;
/** A name that needs no more than quotes around it. */
const CLUSTER = /^[\w.-]{1,64}$/;

/**
 * Reads `clickhouse://user@ch1:8123,ch2:8123/lastbyte`; `clickhouses` for TLS. The password is not part of it: command lines
 * are visible to other users. Throws a StoreError.
 */
export function parseClickHouseAddress(
  text: string,
  { password = '', cluster }: { readonly password?: string | undefined; readonly cluster?: string | undefined } = {},
): ClickHouseAddress {
  const parts = /^(clickhouses?:)\/\/(?:([^@/]+)@)?([^@/?#]+)\/([^/?#]+)$/.exec(text);
  const [, scheme = '', user = 'default', hosts = '', database = ''] = parts ?? [];
  if (parts === null || !NAME.test(database)) {
    throw unusable(
      'the address of ClickHouse cannot be read',
      'It looks like this: clickhouse://user@ch1:8123,ch2:8123/lastbyte',
    );
  }
  if (user.includes(':')) {
    throw unusable(
      'the address of ClickHouse contains a password, which other users of this machine could see',
      'Put it into the environment variable LASTBYTE_CLICKHOUSE_PASSWORD.',
    );
  }
  if (cluster !== undefined && !CLUSTER.test(cluster)) {
    throw unusable(
      `${cluster} is not the name of a cluster`,
      'Name one that ClickHouse lists: SELECT DISTINCT cluster FROM system.clusters',
    );
  }
  const protocol = SCHEMES[scheme as keyof typeof SCHEMES];
  return {
    hosts: hosts.split(',').map((host) => {
      const withPort = /:\d+$/.test(host) ? host : `${host}:${DEFAULT_PORT[protocol]}`;
      if (!URL.canParse(`${protocol}://${withPort}`)) {
        throw unusable(`${host} is not a host name`, 'Separate several by commas: ch1:8123,ch2:8123');
      }
      return `${protocol}://${withPort}`;
    }),
    user: decodeURIComponent(user),
    password,
    database,
    cluster: cluster ?? null,
  };
}

function unusable(message: string, hint: string): StoreError {
  return new StoreError('samples_unreachable', message, hint);
}
