/**
 * Which collector forwards a batch that several have acknowledged, because its sender got no answer from the first. Settled
 * before a batch is forwarded, once and for all.
 */
export interface BatchClaims {
  /**
   * Claims those that no collector has claimed, and resolves to the others', which must not be forwarded. Ids as 32
   * hexadecimal digits. Throws a StoreError.
   */
  claim(ids: readonly string[]): Promise<readonly string[]>;
  /** Removes claims that are so old that their batches would be refused, until `isStopped`. Throws a StoreError. */
  forget(isStopped?: () => boolean): Promise<void>;
}
