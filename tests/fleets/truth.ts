import type { BrowserEngine } from '../../shared/vocabulary/vocabulary.ts';

/** Where something is the matter. Hours and weekdays (0 is Sunday) are those of the servers, UTC+1; ranges end before `to`. */
export interface Place {
  readonly target?: string;
  readonly host?: string;
  readonly template?: string;
  readonly type?: string;
  readonly site?: string;
  /** Number in the fleet. */
  readonly browser?: number;
  readonly engine?: BrowserEngine;
  /** Major version. */
  readonly engineVersion?: string;
  readonly protocol?: string;
  readonly connection?: 'new' | 'reused';
  readonly hours?: readonly [number, number];
  /** Of the hour. */
  readonly minutes?: readonly [number, number];
  readonly weekdays?: readonly number[];
}

/** What an honest finding may see a cause in. */
export const QUANTITIES = [
  'blocked',
  'dns',
  'tcp',
  'tls',
  'wait',
  'receive',
  'redirect',
  'ttlb',
  'new_connections',
  'full_handshakes',
  'lookups',
  'bytes',
  'cached',
  'unmeasurable',
  'protocol',
  'errors',
] as const;
export type Quantity = (typeof QUANTITIES)[number];

/** What was planted, by structure: no words of the product occur in it. */
export interface PlantedCause {
  readonly name: string;
  /** Any of them is right. */
  readonly places: readonly Place[];
  readonly quantities: readonly Quantity[];
  /** Day of the fleet from which it is there, from 0; absent if it always was. */
  readonly day?: number;
  readonly direction: 'slower' | 'faster';
  /** Its requests are more, not slower, or come to nothing: what it costs is no part of the waiting. */
  readonly costless?: true;
}

/** With what it truly costs: the same fleet played with and without it, each request drawing the same numbers. */
export interface MeasuredCause extends PlantedCause {
  /** Share of all waiting, positive in both directions; null if it costs none. */
  readonly costShare: number | null;
  /** Which part of it lies at a place; of the requests concerned, if it costs nothing. */
  readonly costAt: (place: Place) => number;
  /** Which part of the waiting lies at a place without the cause. */
  readonly usualAt: (place: Place) => number;
}
