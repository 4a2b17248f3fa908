import type { ServerCost } from '../../analysis/load/load-document.ts';
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

interface Reading {
  /** ms of `performance.now()`. */
  readonly at: number;
  /** CPU seconds. */
  readonly cpu: number;
  readonly tls: Series;
}

/** Average over this, as article 000 draws it, ms. */
const MOVING_MS = 15_000;

/** Reads a Prometheus endpoint of the server's machine while it is loaded. */
export class ServerMetrics {
  readonly #read: () => Promise<string>;
  readonly #cpu: readonly string[];
  readonly #readings: Reading[] = [];
  readonly #costs = new Map<LoadScenario, { cpu: number; seconds: number; tls: Record<string, number> }>();
  /** Scenarios of which a part has no cost: a reading failed, or the server began anew. */
  readonly #unknown = new Set<LoadScenario>();
  /** Readings that failed while the load ran. */
  failed = 0;
  #began: Reading | null = null;
  #timer: NodeJS.Timeout | null = null;
  #reading: Promise<Reading | null> = Promise.resolve(null);

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

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  async began(): Promise<void> {
    this.#began = await this.#look();
  }

  async ended(scenario: LoadScenario): Promise<void> {
    const [from, to] = [this.#began, await this.#look()];
    if (from === null || to === null || to.cpu < from.cpu) return void this.#unknown.add(scenario);
    const cost = this.#costs.get(scenario) ?? { cpu: 0, seconds: 0, tls: {} };
    this.#costs.set(scenario, cost);
    cost.cpu += to.cpu - from.cpu;
    cost.seconds += (to.at - from.at) / 1000;
    for (const [name, value] of to.tls) cost.tls[name] = (cost.tls[name] ?? 0) + value - (from.tls.get(name) ?? 0);
  }

  /** What the measured parts of a scenario cost; null if that is not known of each of them. */
  costOf(scenario: LoadScenario): ServerCost | null {
    return this.#unknown.has(scenario) ? null : (this.#costs.get(scenario) ?? null);
  }

  /** CPU seconds so far; null if it can't be read now. */
  async cpuNow(): Promise<number | null> {
    return (await this.#look())?.cpu ?? null;
  }

  /** CPU seconds a second, over the last 15 s at each reading; `at` in ms of `performance.now()`. */
  movingAverage(): { readonly at: number; readonly cores: number }[] {
    let first = 0;
    return this.#readings.slice(1).map(({ at, cpu }, before) => {
      while (first < before && at - (this.#readings[first] as Reading).at > MOVING_MS) first++;
      const from = this.#readings[first] as Reading;
      return { at, cores: (cpu - from.cpu) / ((at - from.at) / 1000) };
    });
  }

  /** One after the other: a slow answer must not overtake. */
  #look(): Promise<Reading | null> {
    this.#reading = this.#reading.then(() => this.#readNow());
    return this.#reading;
  }

  async #readNow(): Promise<Reading | null> {
    try {
      const series = parseSeries(await this.#read());
      const cpu = this.#cpu.reduce((sum, name) => sum + (series.get(name) ?? 0), 0);
      const tls = new Map([...series].filter(([name]) => TLS_COUNTERS.test(name)));
      const reading = { at: performance.now(), cpu, tls };
      this.#readings.push(reading);
      return reading;
    } catch {
      this.failed++; // shown with the results
      return null;
    }
  }
}
