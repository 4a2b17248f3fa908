import { PHASES, type Phase } from '../../../shared/vocabulary/time-names.ts';
import type { SampleDocument } from '../../questions/sample-schema.ts';

/** A phase of one request, as a part of the whole drawing. */
export interface WaterfallPart {
  readonly phase: Phase | 'rest';
  /** `blocked` of a service worker's request is the worker's start-up. */
  readonly name: Phase | 'rest' | 'workerStart';
  /** ms */
  readonly value: number;
  /** 0…1 of the drawing's width. */
  readonly from: number;
  readonly share: number;
}

type Timed = Pick<SampleDocument, 'phases' | 'ttlb' | 'redirect'>;
type Request = Timed & Partial<Pick<SampleDocument, 'connection'>>;

/**
 * A request's known phases in order. What they leave of `ttlb` is `rest`: time whose phase is unknown.
 *
 * @param offset ms from the start of the drawing
 * @param span ms of the drawing's width
 */
export function waterfallParts(
  { phases, ttlb, redirect, connection }: Request,
  offset: number,
  span: number,
): readonly WaterfallPart[] {
  const parts: WaterfallPart[] = [];
  let at = offset + (redirect ?? 0);
  const add = (phase: WaterfallPart['phase'], value: number) => {
    if (value <= 0) return;
    const name = phase === 'blocked' && connection === 'worker' ? 'workerStart' : phase;
    parts.push({ phase, name, value, from: at / span, share: value / span });
    at += value;
  };
  for (const phase of PHASES) add(phase, phases[phase] ?? 0);
  const known = parts.reduce((sum, { value }) => sum + value, 0);
  add('rest', (ttlb ?? known) - known);
  return parts;
}

/** ms until the last request ends, at least 1. */
export function waterfallSpan(requests: readonly (Timed & { readonly offsetMs: number })[]): number {
  return Math.max(1, ...requests.map((one) => one.offsetMs + (one.redirect ?? 0) + (one.ttlb ?? 0)));
}
