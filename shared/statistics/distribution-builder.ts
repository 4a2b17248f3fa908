import type { Distribution } from './distribution.ts';

/** Takes values one by one, so that a store can stream; exact values and the sketch are both built this way. */
export interface DistributionBuilder {
  /** @param value whole microseconds */
  add(value: number): void;
  /** What was added so far. The builder may be used further; the returned distribution does not change by it. */
  build(): Distribution;
}
