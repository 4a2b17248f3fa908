import { findSetUp, isUndivided } from '../../collector/reductions/set-up.ts';
import { makeSample } from '../../shared/sample/make-sample.ts';
import type { Sample } from '../../shared/sample/sample.ts';
import { alignFirefoxNavigation } from '../../shared/timing/firefox-navigation.ts';
import type { BrowserEngine } from '../../shared/vocabulary/vocabulary.ts';
import type { PathKind } from './path-site.ts';
import type { PathRecording, PathRequest } from './record-path.ts';

/** Beyond a step of the browser's clock, ms. */
const TOLERANCE_MS = 1;

/** One kind of server in one browser. Shares are parts of 1, and null where there is nothing to share. */
export interface TruthFigures {
  /** That a request waited for, as the wire shows. */
  readonly connections: number;
  /** Part of them whose `tcp` is told. */
  readonly told: number | null;
  /** Parts of what is told. */
  readonly tcpWithin: number | null;
  readonly tcpMedianErrorMs: number | null;
  readonly tlsWithin: number | null;
  /** Part of those whose set-up is told. */
  readonly setupWithin: number | null;
  readonly setupTold: number | null;
  readonly requests: number;
  /** Of them; the class `unknown` is never right. */
  readonly classRight: number | null;
  /** Handshake labels that the server contradicts, and all labels. */
  readonly handshakeWrong: number;
  readonly handshakeLabels: number;
  /** Requests that no entry told of. */
  readonly lost: number;
}

/** One request as the extension tells of it beside what the wire shows. Times in ms; null where it does not apply. */
export interface ComparedRequest {
  readonly kind: PathKind;
  readonly name: string;
  readonly sample: Sample;
  readonly trueClass: 'new' | 'reused';
  /** 0 within what the wire allows, else how far outside. */
  readonly tcpError: number | null;
  readonly tlsError: number | null;
  readonly setupError: number | null;
  readonly handshakeWrong: boolean;
}

export function compareRequest(request: PathRequest): ComparedRequest {
  const { entry, context } = alignFirefoxNavigation(request.entry, request.context);
  const { sample } = makeSample(entry, context, { target: 'path', source: 'page', idleMs: request.options.idleMs });
  if (sample === null) throw new Error(`${entry.name} gives no sample`);
  const { wire, served } = request;
  const { readyAt, synAckAt, synAt, requestAt } = wire;
  const fetchAt = (context.timeOrigin + entry.fetchStart) * 1000;
  const first = served.nth === 1;
  const waited = first && readyAt !== null && readyAt > fetchAt;
  // A browser may see an answer late, but before it sends what comes next.
  const gap = (entry.requestStart - entry.connectEnd) * 1000;
  const readyLatest = waited && requestAt !== null ? Math.max(readyAt, requestAt - gap) : readyAt;
  const openLatest = wire.clientHelloAt ?? readyLatest;
  const isNew = sample.connection === 'new';
  const told = (time: number | null, from: Span, to: Span): number | null => {
    if (!isNew || time === null) return null;
    return first ? outside(time, from, to) : time / 1000;
  };
  const open: Span = [synAckAt, openLatest];
  const setUp = findSetUp(sample);
  return {
    kind: request.kind,
    name: served.url,
    sample,
    trueClass: waited ? 'new' : 'reused',
    tcpError: told(sample.times.tcp, [synAt, synAt], open),
    tlsError: told(sample.times.tls, open, [readyAt, readyLatest]),
    // A lookup may be answered without a packet. When a request began to wait for what was begun earlier none shows either.
    setupError: told(
      setUp === null ? null : setUp - (sample.times.dns ?? 0),
      [Math.max(synAt, fetchAt), isUndivided(sample) ? readyAt : synAt],
      [readyAt, readyLatest],
    ),
    handshakeWrong:
      sample.handshake !== 'unknown' && served.handshake !== null && sample.handshake !== served.handshake,
  };
}

/** Earliest and latest, epoch µs. */
type Span = readonly [number | null, number | null];

/** How far a told time lies outside of what can have passed from one moment to the other, ms. */
function outside(told: number, [fromEarliest, fromLatest]: Span, [toEarliest, toLatest]: Span): number | null {
  if (fromEarliest === null || fromLatest === null || toEarliest === null || toLatest === null) return null;
  const least = Math.max(0, toEarliest - fromLatest);
  const most = toLatest - fromEarliest;
  return (told < least ? told - least : told > most ? told - most : 0) / 1000;
}

export function truthFigures(
  recording: PathRecording,
  engine: BrowserEngine,
): Readonly<Partial<Record<PathKind, TruthFigures>>> {
  const limit = (engine === 'firefox' ? 1 : 0.1) + TOLERANCE_MS;
  const compared = recording.requests.map(compareRequest);
  const kinds = [...new Set(compared.map(({ kind }) => kind))];
  return Object.fromEntries(
    kinds.map((kind) => [
      kind,
      figuresOf(
        compared.filter((one) => one.kind === kind),
        kind,
      ),
    ]),
  );

  function figuresOf(all: readonly ComparedRequest[], kind: PathKind): TruthFigures {
    const fresh = all.filter(({ trueClass }) => trueClass === 'new');
    const errors = (pick: (one: ComparedRequest) => number | null) => all.map(pick).filter((error) => error !== null);
    const within = (values: readonly number[]) =>
      share(values.filter((error) => Math.abs(error) <= limit).length, values.length);
    const tcp = errors(({ tcpError }) => tcpError);
    const setUp = errors(({ setupError }) => setupError);
    return {
      connections: fresh.length,
      told: share(fresh.filter(({ tcpError }) => tcpError !== null).length, fresh.length),
      tcpWithin: within(tcp),
      tcpMedianErrorMs: median(tcp),
      tlsWithin: within(errors(({ tlsError }) => tlsError)),
      setupWithin: within(setUp),
      setupTold: share(fresh.filter(({ setupError }) => setupError !== null).length, fresh.length),
      requests: all.length,
      classRight: share(all.filter(({ sample, trueClass }) => sample.connection === trueClass).length, all.length),
      handshakeWrong: all.filter(({ handshakeWrong }) => handshakeWrong).length,
      handshakeLabels: all.filter(({ sample }) => sample.handshake !== 'unknown').length,
      lost: recording.lost.filter((one) => one.kind === kind).length,
    };
  }
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function median(values: readonly number[]): number | null {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? null;
}
