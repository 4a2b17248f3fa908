import type { Sample, StoredSample } from '../../../shared/sample/sample.ts';
import {
  NULL,
  type NumberName,
  parseReasons,
  type SampleColumns,
  type TextName,
} from '../../../shared/sample/sample-columns.ts';
import { rowReader } from '../../../shared/sample/sample-reader.ts';
import { once, onceEach } from '../../lib/once.ts';

/**
 * Rows as samples that read their columns lazily: a view uses ten of forty columns of a million samples, and whole objects
 * would take a hundred times the memory.
 */
export function lazySamples(columns: SampleColumns): (row: number) => StoredSample {
  const sources: Sources = {
    at: columns.at(),
    origins: once(() => columns.origins),
    origin: once(() => columns.origin()),
    text: onceEach((name: TextName) => columns.text(name)),
    number: onceEach((name: NumberName) => columns.number(name)),
    reasons: once(() => columns.text('unknown').strings.map(parseReasons)),
    whole: once(() => rowReader(columns)),
  };
  return (row) => new LazySample(sources, row);
}

interface Sources {
  readonly at: Float64Array;
  readonly origins: () => SampleColumns['origins'];
  readonly origin: () => Int32Array;
  readonly text: SampleColumns['text'];
  readonly number: SampleColumns['number'];
  readonly reasons: () => readonly Sample['unknown'][];
  readonly whole: () => (row: number) => StoredSample;
}

class LazyTimes {
  private readonly sources: Sources;
  private readonly row: number;
  constructor(sources: Sources, row: number) {
    this.sources = sources;
    this.row = row;
  }
  private read(name: NumberName): number | null {
    const value = this.sources.number(name)[this.row] as number;
    return value === NULL ? null : value;
  }
  get blocked() {
    return this.read('blocked');
  }
  get dns() {
    return this.read('dns');
  }
  get tcp() {
    return this.read('tcp');
  }
  get tls() {
    return this.read('tls');
  }
  get wait() {
    return this.read('wait');
  }
  get receive() {
    return this.read('receive');
  }
  get redirect() {
    return this.read('redirect');
  }
  get ttfb() {
    return this.read('ttfb');
  }
  get ttlb() {
    return this.read('ttlb');
  }
}

class LazySample implements StoredSample {
  private readonly sources: Sources;
  private readonly row: number;
  constructor(sources: Sources, row: number) {
    this.sources = sources;
    this.row = row;
  }
  private text<T extends string | null>(name: TextName): T {
    const { strings, codes } = this.sources.text(name);
    return (strings[codes[this.row] as number] ?? null) as T;
  }
  private read(name: NumberName): number | null {
    const value = this.sources.number(name)[this.row] as number;
    return value === NULL ? null : value;
  }
  private get whole(): StoredSample {
    return this.sources.whole()(this.row);
  }
  get at() {
    return this.sources.at[this.row] as number;
  }
  get origin() {
    return this.sources.origins()[this.sources.origin()[this.row] as number] as StoredSample['origin'];
  }
  get target() {
    return this.text<string>('target');
  }
  get host() {
    return this.text<string>('host');
  }
  get scheme() {
    return this.text<Sample['scheme']>('scheme');
  }
  get template() {
    return this.text<string>('template');
  }
  get type() {
    return this.text<Sample['type']>('type');
  }
  get protocol() {
    return this.text<string | null>('protocol');
  }
  get source() {
    return this.text<string>('source');
  }
  get connection() {
    return this.text<Sample['connection']>('connection');
  }
  get connectionEvidence() {
    return this.text<string>('connectionEvidence');
  }
  get handshake() {
    return this.text<Sample['handshake']>('handshake');
  }
  get handshakeEvidence() {
    return this.text<string | null>('handshakeEvidence');
  }
  get excluded() {
    return this.text<Sample['excluded']>('excluded');
  }
  get error() {
    return this.text<string | null>('error');
  }
  get status() {
    return this.read('status');
  }
  get times(): Sample['times'] {
    return new LazyTimes(this.sources, this.row);
  }
  get unknown() {
    return this.sources.reasons()[this.sources.text('unknown').codes[this.row] as number] ?? {};
  }
  get responseMark(): NonNullable<Sample['responseMark']> {
    return this.text<Sample['responseMark'] & string>('responseMark') ?? 'response_start';
  }
  get transferSize() {
    return this.read('transferSize');
  }
  get encodedBodySize() {
    return this.read('encodedBodySize');
  }
  get decodedBodySize() {
    return this.read('decodedBodySize');
  }
  get idleMs() {
    return this.read('idleMs');
  }
  get serverTime() {
    return this.read('serverTime');
  }
  get metrics() {
    return this.whole.metrics;
  }
  get tls() {
    return this.whole.tls;
  }
}
