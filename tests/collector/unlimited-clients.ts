import type { ClientLimits } from '../../collector/ingest/admission/admission.ts';

const NONE = { network: Number.MAX_SAFE_INTEGER, allowance: Number.MAX_SAFE_INTEGER, key: Number.MAX_SAFE_INTEGER };

/** For what sends more from one address than any office: benches and attacks on something else. */
export const UNLIMITED_CLIENTS: ClientLimits = {
  rate: NONE,
  stored: NONE,
  leastStoredBytes: 0,
  changes: Number.MAX_SAFE_INTEGER,
  reserve: { leastBytes: 0, share: 0, mostShare: 0 },
};
