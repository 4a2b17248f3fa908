import type { TimeStatistics } from '../../../shared/statistics/time-statistics.ts';
import type { SummaryMethod } from '../summary/summary-document.ts';

/** What can be told of a connection's TLS; each by the browsers that tell it, which today is Firefox. */
export const TLS_FACTS = ['version', 'cipher', 'keyExchange', 'issuer'] as const;
export type TlsFact = (typeof TLS_FACTS)[number];

/** `GET /api/v1/tls`. Times in milliseconds. */
export interface TlsDocument {
  readonly method: SummaryMethod;
  /** Samples over https that the filters leave in. */
  readonly samples: number;
  /**
   * Those of them whose TLS was told; null where small groups are folded and the browsers that tell it may not be shown by
   * themselves. There are no rows then.
   */
  readonly told: number | null;
  /** By fact, the most frequent first. */
  readonly rows: readonly TlsRow[];
}

export interface TlsRow {
  readonly fact: TlsFact;
  /** As the browser names it. Values of too few browsers are left out for who may not see single ones. */
  readonly value: string;
  readonly samples: number;
  readonly browsers: number;
  /** Handshakes of usable new connections. */
  readonly tls: TimeStatistics | null;
  /** Of all usable requests. */
  readonly ttlb: TimeStatistics | null;
}
