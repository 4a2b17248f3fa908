/** The part of a trace event that is used. https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly ts: number;
  readonly dur?: number;
  /** Of the processor: a thread that had to wait for its turn is not slower for it. */
  readonly tdur?: number;
  readonly args?: { readonly data?: { readonly url?: string } };
}

/** What runs a script or calls into one. */
const RUNS = new Set(['v8.compile', 'EvaluateScript', 'FunctionCall']);
export const TRACE_CATEGORIES = ['devtools.timeline'];

export interface ScriptTime {
  /** Main-thread time of the script in all, ms. */
  readonly total: number;
  /** The longest single time it held the main thread, ms. */
  readonly longest: number;
  readonly runs: number;
}

/** How long one script held main threads; what is called from within a run counts as part of it. */
export function contentScriptTime(trace: string, url: string): ScriptTime {
  const { traceEvents } = JSON.parse(trace) as { traceEvents: readonly TraceEvent[] };
  const own = traceEvents
    .filter(({ name, ph, args }) => ph === 'X' && RUNS.has(name) && args?.data?.url === url)
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  const ends = new Map<string, number>();
  const times: number[] = [];
  for (const { pid, tid, ts, dur = 0, tdur = dur } of own) {
    const thread = `${pid} ${tid}`;
    if (ts < (ends.get(thread) ?? 0)) continue;
    ends.set(thread, ts + dur);
    times.push(tdur / 1000);
  }
  return { total: times.reduce((sum, ms) => sum + ms, 0), longest: Math.max(0, ...times), runs: times.length };
}
