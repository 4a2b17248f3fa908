import { BROWSER_ENGINES, type BrowserEngine } from '../../shared/vocabulary/vocabulary.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { isInside, layPath, type NetworkPath, runInside, whyNoPath } from '../path/network-path.ts';
import { PATH_KINDS, type PathKind } from '../path/path-site.ts';
import { recordPath } from '../path/record-path.ts';
import { type TruthFigures, truthFigures } from '../path/truth-figures.ts';
import type { Bench, BenchOutcome } from './bench-result.ts';

const REFLECTOR = 'tests/path/reflector.py';
const ROUND_TRIP_MS = 40.5;
const LOOKUP_MS = 25;
/** Of each kind in each browser, unless time is short. */
const WANTED_CONNECTIONS = 200;
const DEFAULT_SECONDS = 1_800;
const MIN_ROUNDS = 2;

const LEAST_TIMES_RIGHT = 0.98;
const MAX_MEDIAN_ERROR_MS: Readonly<Record<BrowserEngine, number>> = { chromium: 0.6, firefox: 1.5 };
const LEAST_CLASS_RIGHT: Readonly<Record<BrowserEngine, number>> = { chromium: 0.999, firefox: 0.995 };

type EngineFigures = Readonly<Partial<Record<PathKind, TruthFigures>>>;
export type PathFigures = Partial<Record<BrowserEngine, EngineFigures>> & { path: WitnessFigures };

/** How far the path itself is to be trusted. */
interface WitnessFigures {
  readonly packets: number;
  /** How much longer than half a round trip it held them, ms. */
  readonly lateMedianMs: number;
  readonly late99Ms: number;
}

/** What the extension tells of connections, against the packets of a path with a real round trip. */
export const truthBench: Bench = {
  name: 'truth',
  async run(progress, { seconds = DEFAULT_SECONDS } = {}) {
    const why = whyNoPath();
    if (why !== null) return { figures: {}, misses: [`there can be no path here: ${why}`] };
    if (isInside()) return measure(progress, seconds);
    const printed = await runInside(process.argv[1] ?? '', ['truth', '--json', `--seconds=${seconds}`], {});
    const { figures } = JSON.parse(printed) as { figures: PathFigures };
    return { figures, misses: missesOf(figures) };
  },
};

async function measure(progress: (line: string) => void, seconds: number): Promise<BenchOutcome> {
  const path = await layPath(REFLECTOR, ROUND_TRIP_MS, LOOKUP_MS);
  try {
    const found: Partial<Record<BrowserEngine, EngineFigures>> = {};
    for (const engine of ENGINES) {
      const slice = (seconds * 1000) / ENGINES.length / PATH_KINDS.length;
      const until = new Map<PathKind, number>();
      const recording = await recordPath({
        engine,
        kinds: PATH_KINDS,
        path,
        progress,
        enough(kind, connections, round) {
          if (!until.has(kind)) until.set(kind, performance.now() + slice);
          if (round < MIN_ROUNDS) return false;
          return connections >= WANTED_CONNECTIONS || performance.now() > (until.get(kind) ?? 0);
        },
      });
      found[engine] = truthFigures(recording, engine);
    }
    const figures: PathFigures = { ...found, path: witness(path) };
    return { figures, misses: missesOf(figures) };
  } finally {
    await path.close();
  }
}

function witness({ packets }: NetworkPath): WitnessFigures {
  const late = packets
    .map(({ sentAt, arrivedAt }) => (arrivedAt - sentAt) / 1000 - ROUND_TRIP_MS / 2)
    .sort((a, b) => a - b);
  const at = (part: number) => late[Math.floor(part * (late.length - 1))] ?? Number.NaN;
  return { packets: packets.length, lateMedianMs: at(0.5), late99Ms: at(0.99) };
}

function missesOf(figures: PathFigures): string[] {
  return BROWSER_ENGINES.flatMap((engine) => {
    const kinds = Object.entries(figures[engine] ?? {});
    const requests = kinds.reduce((sum, [, kind]) => sum + kind.requests, 0);
    const right = kinds.reduce((sum, [, kind]) => sum + kind.requests * (kind.classRight ?? 1), 0);
    const classes =
      right < requests * LEAST_CLASS_RIGHT[engine] ? [`${engine}: classes of ${right} in ${requests}`] : [];
    return [
      ...classes,
      ...kinds.flatMap(([name, kind]) => kindMisses(kind, engine).map((miss) => `${engine} ${name}: ${miss}`)),
    ];
  });
}

function kindMisses(kind: TruthFigures, engine: BrowserEngine): string[] {
  const shares = (['tcpWithin', 'tlsWithin', 'setupWithin'] as const).filter(
    (name) => (kind[name] ?? 1) < LEAST_TIMES_RIGHT,
  );
  return [
    ...shares.map((name) => `${name} ${kind[name]}`),
    ...(Math.abs(kind.tcpMedianErrorMs ?? 0) > MAX_MEDIAN_ERROR_MS[engine]
      ? [`tcp off by ${kind.tcpMedianErrorMs} ms`]
      : []),
    ...(kind.handshakeWrong > 0 ? [`${kind.handshakeWrong} of ${kind.handshakeLabels} handshakes called wrong`] : []),
    ...(kind.lost > 0 ? [`${kind.lost} requests lost`] : []),
  ];
}
