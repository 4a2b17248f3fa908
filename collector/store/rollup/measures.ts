import { type EvidenceClass, evidenceClassOf } from '../../../shared/classify/evidence.ts';
import { parseReasons } from '../../../shared/sample/reasons-text.ts';
import { NULL, type SampleColumns } from '../../../shared/sample/sample-columns.ts';
import type { Connection, Exclusion } from '../../../shared/sample/vocabulary.ts';
import { isElsewhere } from '../../../shared/summary/set-up.ts';
import { isHttp3 } from '../../../shared/timing/set-up-split.ts';
import { once } from '../chunk/once.ts';

/**
 * The distributions a rollup keeps, with the number each is stored under for ever. Others follow from these: `wait` in
 * all is `wait` and `waitWhole`; set-up per request is `setup` and a 0 for each usable reused request; without its set-up
 * the `ttlb` of anything but a new connection is the `ttlb`.
 */
export const MEASURES = {
  blocked: 2,
  /** dns, tcp and tls of new connections only. */
  dns: 3,
  tcp: 4,
  tls: 5,
  /** Waits that a round trip can be taken from. */
  wait: 6,
  /** Waits it can't be taken from: HTTP/3, Early Hints. */
  waitWhole: 7,
  receive: 8,
  ttfb: 9,
  ttlb: 10,
  /** dns + tcp + tls of new connections. */
  setup: 11,
  /** Of new connections. */
  ttlbWithoutSetup: 12,
  /** `wait` − `tcp` of new connections. */
  serverShare: 13,
  /** The `tcp` of those that have a server share. */
  roundTrip: 14,
} as const;
export type Measure = keyof typeof MEASURES;
export const MEASURE_NAMES = Object.keys(MEASURES) as Measure[];

/** Stored beside them, in packs of counters. */
export const COUNTS = 0;
export const CLIENTS = 1;

/** No row, no value: unlike NULL it can't be taken for a difference. */
const NONE = Number.NaN;

export interface RowMeasures {
  /** One value per row, NaN where the row has none. Whole µs. */
  values(measure: Measure): Float64Array;
  /** Per row 1 if it is usable. */
  usable(): Uint8Array;
  /** One class for each of `evidenceCodes`. */
  evidence(): { codes: Int32Array; entries: readonly EvidenceClass[] };
}

/** The rules of `shared/summary`, a column at a time; the conformance suite holds the two together. */
export function measureRows(columns: SampleColumns): RowMeasures {
  const { n } = columns;
  const isNew = once(() => where(columns, 'connection', (word) => word === 'new'));
  const http3 = once(() => where(columns, 'protocol', (word) => isHttp3(word ?? '')));
  const evidence = once(() => evidenceOf(columns));
  const usable = once(() => {
    const { codes, entries } = evidence();
    const flags = entries.map((name) => (name === 'usable' ? 1 : 0));
    return Uint8Array.from(codes, (code) => flags[code] ?? 0);
  });
  const setup = once(() => setUps(columns, isNew()));
  const roundTrip = once(() => ownRoundTrips(columns, isNew(), http3()));
  const whole = once(() => {
    const hinted = where(columns, 'responseMark', (word) => word === 'final_response_headers');
    return http3().map((flag, row) => flag | (hinted[row] as number));
  });

  function times(name: Parameters<SampleColumns['number']>[0], wanted: Uint8Array | null, not = 0): Float64Array {
    const source = columns.number(name);
    const flags = usable();
    const values = new Float64Array(n);
    for (let row = 0; row < n; row++) {
      const value = source[row] as number;
      const kept = flags[row] === 1 && value !== NULL && (wanted === null || wanted[row] !== not);
      values[row] = kept ? value : NONE;
    }
    return values;
  }

  function differences(
    name: 'ttlb' | 'wait',
    less: Float64Array,
    wanted: Uint8Array,
    not: number,
    unknownAsZero: boolean,
  ): Float64Array {
    const values = times(name, wanted, not);
    for (let row = 0; row < n; row++) {
      const part = less[row] as number;
      values[row] = (values[row] as number) - (unknownAsZero && Number.isNaN(part) ? 0 : part);
    }
    return values;
  }

  function values(measure: Measure): Float64Array {
    switch (measure) {
      case 'dns':
      case 'tcp':
      case 'tls':
        return times(measure, isNew());
      case 'wait':
        return times('wait', whole(), 1);
      case 'waitWhole':
        return times('wait', whole());
      case 'setup':
        return only(setup(), usable());
      case 'ttlbWithoutSetup':
        return differences('ttlb', setup(), isNew(), 0, true);
      case 'serverShare':
        return differences('wait', roundTrip(), whole(), 1, false);
      case 'roundTrip': {
        const shares = differences('wait', roundTrip(), whole(), 1, false);
        return roundTrip().map((time, row) => (Number.isNaN(shares[row]) ? NONE : time));
      }
      default:
        return times(measure, null);
    }
  }

  return { values, usable, evidence };
}

/** A flag per row, from one look at each word. */
function where(
  columns: SampleColumns,
  name: Parameters<SampleColumns['text']>[0],
  is: (word: string | null) => boolean,
): Uint8Array {
  const { entries, codes } = columns.text(name);
  const flags = [is(null), ...entries.map(is)];
  return Uint8Array.from(codes, (code) => (flags[code + 1] ? 1 : 0));
}

function evidenceOf(columns: SampleColumns): { codes: Int32Array; entries: EvidenceClass[] } {
  const connection = columns.text('connection');
  const excluded = columns.text('excluded');
  const entries: EvidenceClass[] = [];
  const width = excluded.entries.length + 1;
  const table = new Int32Array((connection.entries.length + 1) * width).fill(-1);
  const codes = new Int32Array(columns.n);
  for (let row = 0; row < columns.n; row++) {
    const left = connection.codes[row] as number;
    const right = excluded.codes[row] as number;
    const key = (left + 1) * width + right + 1;
    if (table[key] === -1) {
      const name = evidenceClassOf({
        connection: connection.entries[left] as Connection,
        excluded: (excluded.entries[right] ?? null) as Exclusion | null,
      });
      const known = entries.indexOf(name);
      table[key] = known >= 0 ? known : entries.push(name) - 1;
    }
    codes[row] = table[key] as number;
  }
  return { codes, entries };
}

/** dns + tcp + tls of new connections where all that exist are known. */
function setUps(columns: SampleColumns, isNew: Uint8Array): Float64Array {
  const { entries, codes } = columns.text('unknown');
  const reasons = entries.map(parseReasons);
  const phases = (['dns', 'tcp', 'tls'] as const).map((phase) => ({
    times: columns.number(phase),
    elsewhere: reasons.map((unknown) => isElsewhere(unknown[phase])),
  }));
  return Float64Array.from(isNew, (flag, row) => {
    if (flag === 0) return NONE;
    let sum = 0;
    let known = false;
    for (const { times, elsewhere } of phases) {
      const time = times[row] as number;
      if (time !== NULL) {
        sum += time;
        known = true;
      } else if (!elsewhere[codes[row] as number]) return NONE;
    }
    return known ? sum : NONE;
  });
}

function ownRoundTrips(columns: SampleColumns, isNew: Uint8Array, http3: Uint8Array): Float64Array {
  const tcp = columns.number('tcp');
  const tls = columns.number('tls');
  const secure = where(columns, 'scheme', (word) => word === 'https');
  return tcp.map((time, row) => {
    // A handshake that took no time was a socket opened in advance, or 0-RTT.
    const none = isNew[row] === 0 || http3[row] === 1 || time <= 0 || (secure[row] === 1 && (tls[row] as number) <= 0);
    return none ? NONE : time;
  });
}

function only(values: Float64Array, flags: Uint8Array): Float64Array {
  return values.map((value, row) => (flags[row] === 1 ? value : NONE));
}
