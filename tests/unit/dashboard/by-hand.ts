import type { Read } from '../../../collector/dashboard/query-cache/query-state.ts';

/** A read whose answers the test gives. */
export function byHand<Value>() {
  const asked: {
    answer(value: Value): void;
    fail(error: unknown): void;
    report(part: number): void;
    signal: AbortSignal;
  }[] = [];
  const read: Read<Value> = (signal, report) =>
    new Promise((resolve, reject) => asked.push({ answer: resolve, fail: reject, report, signal }));
  return { asked, read };
}
