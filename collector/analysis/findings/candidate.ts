import type { Finding } from './finding.ts';
import type { Waits } from './waits.ts';

/** What may become a finding: it is shown if it is certain and material. */
export interface Candidate extends Pick<Finding, 'kind' | 'place' | 'phase' | 'since' | 'facts'> {
  readonly affectedRequests: number;
  /** What each browser (each minute, if it is about one browser) would save, ms: browsers vary independently. */
  readonly units: readonly number[];
  /** That it is chance, where that is known better than from the units. */
  readonly p?: number;
  /** It matters however little time it takes. */
  readonly serious?: boolean;
  /** What was waited for at its place, ms. */
  readonly placeMs: number;
  /** Takes its time away from what is left. */
  cure(): void;
}

/** Looks for one kind of cause in what is left. */
export type Detector = (waits: Waits) => Candidate[];

/** Savings by unit. */
export class UnitSums {
  readonly #sums = new Map<number, number>();
  affected = 0;

  add(unit: number, ms: number): void {
    this.#sums.set(unit, (this.#sums.get(unit) ?? 0) + ms);
    this.affected++;
  }

  get total(): number {
    let sum = 0;
    for (const ms of this.#sums.values()) sum += ms;
    return sum;
  }

  units(): number[] {
    return [...this.#sums.values()];
  }
}
