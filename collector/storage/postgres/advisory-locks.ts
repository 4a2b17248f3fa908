/** The first key keeps these apart from other programs' locks in the same database: "last" in ASCII. */
const OURS = 0x6c617374;

/** Statements that take a lock: https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS */
export const LOCKS = {
  /** Waits; held until the transaction ends. */
  prepare: `SELECT pg_advisory_xact_lock(${OURS}, 1)`,
  /** An expression, true if it was free; held until the connection ends. */
  leadership: `pg_try_advisory_lock(${OURS}, 2)`,
} as const;
