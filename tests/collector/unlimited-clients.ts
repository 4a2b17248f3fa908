import type { ClientLimits } from '../../collector/ingest/admission/client-quotas.ts';

/** For what sends more from one address than any office: benches and attacks on something else. */
export const UNLIMITED_CLIENTS: ClientLimits = {
  addressBytesPerSecond: Number.MAX_SAFE_INTEGER,
  addressBurstBytes: Number.MAX_SAFE_INTEGER,
  allowanceBytesPerSecond: Number.MAX_SAFE_INTEGER,
  allowanceBurstBytes: Number.MAX_SAFE_INTEGER,
  networkBytesPerSecond: Number.MAX_SAFE_INTEGER,
  networkBurstBytes: Number.MAX_SAFE_INTEGER,
  networkAllowanceBytesPerSecond: Number.MAX_SAFE_INTEGER,
  networkAllowanceBurstBytes: Number.MAX_SAFE_INTEGER,
  keyBytesPerSecond: Number.MAX_SAFE_INTEGER,
  keyBurstBytes: Number.MAX_SAFE_INTEGER,
  storage: {
    network: Number.MAX_SAFE_INTEGER,
    key: Number.MAX_SAFE_INTEGER,
    leastBytes: 0,
    reserve: { leastBytes: 0, share: 0, mostShare: 0 },
  },
};
