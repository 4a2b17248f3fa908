/** What every bench prints, alone on standard output. */
export interface BenchResult {
  readonly bench: string;
  readonly machine: Machine;
  readonly figures: object;
}

/** Enough to tell whose figures these are; nothing that names the machine. */
export interface Machine {
  readonly platform: string;
  readonly arch: string;
  readonly cpu: string;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly node: string;
}

/** One bench: what it measures, in figures whose names carry their unit or are plain ratios. */
export interface Bench {
  readonly name: string;
  /** @param progress one line for a person, on standard error */
  run(progress: (line: string) => void, options?: BenchOptions): BenchOutcome | Promise<BenchOutcome>;
}

export interface BenchOptions {
  /** How long it lasts, for a bench that measures over time; its own time unless given. */
  readonly seconds?: number;
  /** How many samples it stores, for a bench of stores that grow; its own number unless given. */
  readonly samples?: number;
  /** How often it compares, for a bench that loads in pairs; its own number unless given. */
  readonly pairs?: number;
}

export interface BenchOutcome {
  readonly figures: object;
  /** What was promised and does not hold, in words; empty when all does. */
  readonly misses: readonly string[];
}
