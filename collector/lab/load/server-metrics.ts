import type { LoadScenario } from '../../analysis/load/loaded-request.ts';

/** Series of a Prometheus text endpoint: `name{labels}` → value. */
export type Series = ReadonlyMap<string, number>;

/** https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
export function parseSeries(text: string): Series {
  const series = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, name, value] = /^([a-zA-Z_:][\w:]*(?:\{.*\})?)\s+(\S+)/.exec(line) ?? [];
    if (name !== undefined && Number.isFinite(Number(value))) series.set(name, Number(value));
  }
  return series;
}

/** node_exporter has a CPU time of its own beside the machine's, so the machine's comes first. */
const CPU_COUNTERS = [
  /^node_cpu_seconds_total\{(?!.*mode="(?:idle|iowait|steal)")/,
  /^namedprocess_namegroup_cpu_seconds_total\{/,
  /^process_cpu_seconds_total(?:\{|$)/,
];
const TLS_COUNTERS = /(?=.*(?:tls|ssl))(?=.*(?:session|resum|handshake|cache)).*(?:_total|_count|hits|misses)(?:\{|$)/i;

/** The series that count the server's CPU time: the named ones, else the likeliest. Empty if there are none. */
export function cpuSeries(series: Series, named: string | null): string[] {
  const names = [...series.keys()];
  if (named !== null) return names.filter((name) => name === named || name.startsWith(`${named}{`));
  for (const pattern of CPU_COUNTERS) {
    const found = names.filter((name) => pattern.test(name));
    if (found.length > 0) return found;
  }
  return [];
}

/** What the server spent on the measured parts of one scenario. */
export interface ServerCost {
  /** CPU seconds. */
  cpu: number;
  seconds: number;
  /** Growth of each counter of TLS sessions and handshakes. */
  readonly tls: Map<string, number>;
}

interface Reading {
  /** ms of `performance.now()`. */
  readonly at: number;
  readonly series: Series;
}

/** Average over this, as article 000 draws it, ms. */
const MOVING_MS = 15_000;

/** Reads a Prometheus endpoint of the server's machine while it is loaded. */
export class ServerMetrics {
  readonly #read: () => Promise<string>;
  readonly #cpu: readonly string[];
  readonly #readings: Reading[] = [];
  readonly costs = new Map<LoadScenario, ServerCost>();
  /** Readings that failed while the load ran. */
  failed = 0;
  #began: Reading | null = null;
  #timer: NodeJS.Timeout | null = null;

  private constructor(read: () => Promise<string>, cpu: readonly string[]) {
    this.#read = read;
    this.#cpu = cpu;
  }

  /** @throws if the endpoint can't be read; null if it counts no CPU time */
  static async open(read: () => Promise<string>, named: string | null): Promise<ServerMetrics | null> {
    const cpu = cpuSeries(parseSeries(await read()), named);
    return cpu.length === 0 ? null : new ServerMetrics(read, cpu);
  }

  /** The name of the counter in use, without labels. */
  get counter(): string {
    return this.#cpu[0]?.split('{')[0] ?? '';
  }

  /** From now on it is read every second. */
  start(): void {
    this.#timer = setInterval(() => void this.#look(), 1000);
  }

  /** CPU seconds so far; null if it can't be read now. */
  async cpuNow(): Promise<number | null> {
    const reading = await this.#look();
    return reading && this.#cpuOf(reading);
  }

  async began(): Promise<void> {
    this.#began = await this.#look();
  }

  async ended(scenario: LoadScenario): Promise<void> {
    const [from, to] = [this.#began, await this.#look()];
    if (from === null || to === null) return;
    const cost = this.costs.get(scenario) ?? { cpu: 0, seconds: 0, tls: new Map() };
    this.costs.set(scenario, cost);
    cost.cpu += this.#cpuOf(to) - this.#cpuOf(from);
    cost.seconds += (to.at - from.at) / 1000;
    for (const [name, value] of to.series) {
      if (TLS_COUNTERS.test(name)) cost.tls.set(name, (cost.tls.get(name) ?? 0) + value - (from.series.get(name) ?? 0));
    }
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  /** CPU seconds a second, over the last 15 s at each reading; `at` in ms of `performance.now()`. */
  movingAverage(): { readonly at: number; readonly cores: number }[] {
    let first = 0;
    return this.#readings.slice(1).map((reading, before) => {
      while (first < before && reading.at - (this.#readings[first] as Reading).at > MOVING_MS) first++;
      const from = this.#readings[first] as Reading;
      return { at: reading.at, cores: (this.#cpuOf(reading) - this.#cpuOf(from)) / ((reading.at - from.at) / 1000) };
    });
  }

  #cpuOf({ series }: Reading): number {
    return this.#cpu.reduce((sum, name) => sum + (series.get(name) ?? 0), 0);
  }

  async #look(): Promise<Reading | null> {
    try {
      const reading = { at: performance.now(), series: parseSeries(await this.#read()) };
      this.#readings.push(reading);
      return reading;
    } catch {
      this.failed++; // shown with the results
      return null;
    }
  }
}
