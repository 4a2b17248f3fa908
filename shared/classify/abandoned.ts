import type { ConnectionEvidence } from '../vocabulary/vocabulary.ts';

/** How browsers name a request that was cancelled: the user or the page left, or a script gave up. */
export const GIVEN_UP: ReadonlySet<string> = new Set(['net::ERR_ABORTED', 'NS_BINDING_ABORTED']);

/** Whether a failed request was given up by its page: it might have been answered, later than its `ttlb`. */
export function wasGivenUp(error: string | null, evidence: ConnectionEvidence | string | null): boolean {
  return error === null ? evidence === 'no_answer' : GIVEN_UP.has(error);
}
