import { NULL, type SampleColumns, type TextName } from '../../../shared/sample/sample-columns.ts';
import { onceEach } from '../../lib/once.ts';
import {
  CONNECTION,
  HANDSHAKE,
  OUTCOME,
  type RequestGroup,
  type RequestTable,
  TABLE_TIMES,
  type TableBrowser,
  type TableTime,
  TLS,
} from '../../reductions/request-table.ts';
import { originWord } from '../../reductions/sample-dimension.ts';
import type { QueryGroups } from './query-groups.ts';
import type { RangePass } from './range-pass.ts';
import type { RowPart } from './row-part.ts';

/** Samples of anything but pages, such as probes, are none of a user's waiting. */
const SOURCE = 'page';

/** Rows of one part, copied; they are joined once all parts have been read. */
interface Piece {
  readonly at: Float64Array;
  readonly codes: Readonly<Record<'group' | 'browser' | 'protocol' | 'issuer', Int32Array>>;
  readonly flags: Readonly<Record<'outcome' | 'connection' | 'handshake' | 'tls', Uint8Array>>;
  readonly numbers: Readonly<Record<TableTime | 'size' | 'idle', Float32Array>>;
}

/**
 * Call the result once the pass has run.
 * @param shown rows of other groups are left out
 * @param onlyPages leaves out whatever no page requested
 */
export function collectRequestTable(pass: RangePass, shown: QueryGroups, onlyPages = true): () => RequestTable {
  const groups = numbering<RequestGroup>();
  const browsers = numbering<TableBrowser>();
  const protocols = numbering<string>();
  const issuers = numbering<string>();
  const pieces: Piece[] = [];

  pass.rows((part) => {
    if (!shown.hasRows(part)) return;
    const { columns } = part;
    const outcome = outcomesOf(part);
    const inside = shown.groupsOfRows(part);
    const source = columns.text('source');
    const page = source.strings.indexOf(SOURCE);
    let n = 0;
    const rows = new Int32Array(columns.n);
    for (let row = 0; row < columns.n; row++) {
      const isPage = !onlyPages || source.codes[row] === page;
      if ((inside[row] as number) >= 0 && isPage && outcome[row] !== UNWANTED) rows[n++] = row;
    }
    if (n > 0) pieces.push(pieceOf(columns, rows.subarray(0, n), outcome));
  });

  function pieceOf(columns: SampleColumns, rows: Int32Array, outcome: Uint8Array): Piece {
    const pick = <A extends Int32Array | Uint8Array | Float32Array | Float64Array>(
      into: A,
      of: ArrayLike<number>,
    ): A => {
      for (let i = 0; i < rows.length; i++) into[i] = of[rows[i] as number] as number;
      return into;
    };
    const n = rows.length;
    const origin = columns.origin();
    // A chunk has thousands of origins, one per batch, and the rows that are read may be of a few.
    const browserOf = onceEach((index: number) => {
      const one = columns.origins[index] as SampleColumns['origins'][number];
      const site = one.site || null;
      const engine = originWord(one, 'browser');
      const version = originWord(one, 'browserVersion');
      return browsers.index(`${one.client} ${site} ${version}`, () => ({ client: one.client, site, engine, version }));
    });
    const [target, host, template, type] = (['target', 'host', 'template', 'type'] as const).map((name) =>
      columns.text(name),
    ) as [Text, Text, Text, Text];
    const group = new Int32Array(n);
    // Rows that follow each other are often alike.
    const known = new Map<number, number>();
    const width = [host, template, type].map(({ strings }) => strings.length + 1) as [number, number, number];
    for (let i = 0; i < n; i++) {
      const row = rows[i] as number;
      const codes = [target, host, template, type].map(({ codes: of }) => of[row] as number) as [
        number,
        number,
        number,
        number,
      ];
      const id = ((codes[0] * width[0] + codes[1]) * width[1] + codes[2]) * width[2] + codes[3];
      let index = known.get(id);
      if (index === undefined) {
        const word = (text: Text, code: number) => text.strings[code] ?? '';
        const one: RequestGroup = {
          target: word(target, codes[0]),
          host: word(host, codes[1]),
          template: word(template, codes[2]),
          type: word(type, codes[3]),
        };
        index = groups.index(JSON.stringify(Object.values(one)), () => one);
        known.set(id, index);
      }
      group[i] = index;
    }
    const textCodes = (name: TextName, of: ReturnType<typeof numbering<string>>) => {
      const { strings, codes } = columns.text(name);
      const numbers = strings.map((word) => of.index(word, () => word));
      return Int32Array.from(rows, (row) => numbers[codes[row] as number] ?? NULL);
    };
    const wordCodes = (name: TextName, codeOf: (word: string) => number) => {
      const { strings, codes } = columns.text(name);
      const numbers = strings.map(codeOf);
      const found = new Uint8Array(n);
      for (let i = 0; i < n; i++) found[i] = numbers[codes[rows[i] as number] as number] ?? 0;
      return found;
    };
    const told = wordCodes('handshakeEvidence', (word) => (word === 'server_timing' ? 1 : 0));
    const handshake = wordCodes('handshake', (word) => HANDSHAKE[word as keyof typeof HANDSHAKE] ?? 0);
    for (let i = 0; i < n; i++) if (told[i] === 0) handshake[i] = HANDSHAKE.unknown;
    const numberOf = (name: Parameters<SampleColumns['number']>[0], scale: number) => {
      const column = columns.number(name);
      const values = new Float32Array(n);
      for (let i = 0; i < n; i++) {
        const value = column[rows[i] as number] as number;
        values[i] = value === NULL ? Number.NaN : value / scale;
      }
      return values;
    };
    const times = Object.fromEntries(TABLE_TIMES.map((name) => [name, numberOf(name, 1000)])) as Record<
      TableTime,
      Float32Array
    >;
    return {
      at: pick(new Float64Array(n), columns.at()),
      codes: {
        group,
        browser: Int32Array.from(rows, (row) => browserOf(origin[row] as number)),
        protocol: textCodes('protocol', protocols),
        issuer: textCodes('tlsIssuer', issuers),
      },
      flags: {
        outcome: pick(new Uint8Array(n), outcome),
        connection: wordCodes('connection', (word) =>
          word === 'new' ? CONNECTION.new : word === 'reused' ? CONNECTION.reused : 0,
        ),
        handshake,
        tls: wordCodes('tlsVersion', (word) => (word === 'TLSv1.3' ? TLS.from13 : TLS.before13)),
      },
      numbers: { ...times, size: numberOf('encodedBodySize', 1), idle: numberOf('idleMs', 1) },
    };
  }

  return () => {
    const n = pieces.reduce((sum, { at }) => sum + at.length, 0);
    const joined = <A extends Int32Array | Uint8Array | Float32Array | Float64Array>(
      into: A,
      of: (piece: Piece) => A,
    ): A => {
      let offset = 0;
      for (const piece of pieces) {
        into.set(of(piece), offset);
        offset += piece.at.length;
      }
      return into;
    };
    const codes = (name: keyof Piece['codes']) => joined(new Int32Array(n), (piece) => piece.codes[name]);
    const flags = (name: keyof Piece['flags']) => joined(new Uint8Array(n), (piece) => piece.flags[name]);
    const numbers = (name: keyof Piece['numbers']) => joined(new Float32Array(n), (piece) => piece.numbers[name]);
    return {
      n,
      at: joined(new Float64Array(n), (piece) => piece.at),
      groups: groups.items,
      group: codes('group'),
      browsers: browsers.items,
      browser: codes('browser'),
      outcome: flags('outcome'),
      connection: flags('connection'),
      handshake: flags('handshake'),
      tls: flags('tls'),
      protocols: protocols.items,
      protocol: codes('protocol'),
      issuers: issuers.items,
      issuer: codes('issuer'),
      size: numbers('size'),
      idle: numbers('idle'),
      times: Object.fromEntries(TABLE_TIMES.map((name) => [name, numbers(name)])) as Record<TableTime, Float32Array>,
    };
  };
}

type Text = ReturnType<SampleColumns['text']>;

const UNWANTED = 255;

/** Hidden tabs, warm-up and whatever else says nothing about waiting is left out. */
function outcomesOf(part: RowPart): Uint8Array {
  const { codes, entries } = part.metrics.evidence();
  const byClass: Readonly<Record<string, number>> = {
    usable: OUTCOME.usable,
    opaque: OUTCOME.opaque,
    cache: OUTCOME.cache,
    status: OUTCOME.error,
    redirect: OUTCOME.redirected,
    challenge: OUTCOME.challenged,
    failed: OUTCOME.failed,
    worker: OUTCOME.worker,
  };
  const ofClass = entries.map((name) => byClass[name] ?? UNWANTED);
  return Uint8Array.from(codes, (code) => ofClass[code] ?? UNWANTED);
}

function numbering<T>() {
  const items: T[] = [];
  const indices = new Map<string, number>();
  return {
    items,
    index(id: string, make: () => T): number {
      const known = indices.get(id);
      if (known !== undefined) return known;
      indices.set(id, items.push(make()) - 1);
      return items.length - 1;
    },
  };
}
