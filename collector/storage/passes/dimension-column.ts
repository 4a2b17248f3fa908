import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { scenarioOf } from '../../../shared/sample/scenario.ts';
import type { AnyDimension } from '../../../shared/vocabulary/dimensions.ts';
import type { Connection, Scheme } from '../../../shared/vocabulary/vocabulary.ts';
import { originWord } from '../../reductions/sample-dimension.ts';

/** One dimension of every row: places in a list of words, −1 where the row has none. */
export interface DimensionColumn {
  readonly codes: Int32Array;
  readonly strings: readonly string[];
}

/** `client` is a browser's id, which no answer names. */
export function dimensionColumn(columns: SampleColumns, dimension: AnyDimension | 'client'): DimensionColumn {
  switch (dimension) {
    case 'client':
      return wordsOfOrigins(columns, ({ client }) => client);
    case 'site':
      return wordsOfOrigins(columns, ({ site }) => site || null);
    case 'browser':
    case 'browserVersion':
    case 'extension':
      return wordsOfOrigins(columns, (origin) => originWord(origin, dimension));
    case 'scenario':
      return scenariosOf(columns);
    default: {
      const { entries, codes } = columns.text(dimension);
      return { strings: entries, codes };
    }
  }
}

function wordsOfOrigins(
  columns: SampleColumns,
  of: (origin: SampleColumns['origins'][number]) => string | null,
): DimensionColumn {
  const { words, place } = numbering();
  const places = Int32Array.from(columns.origins, (one) => place(of(one)));
  const codes = new Int32Array(columns.n);
  const ofRow = columns.origin();
  for (let row = 0; row < codes.length; row++) codes[row] = places[ofRow[row] as number] as number;
  return { strings: words, codes };
}

function scenariosOf(columns: SampleColumns): DimensionColumn {
  const schemes = columns.text('scheme');
  const connections = columns.text('connection');
  const { words, place } = numbering();
  const width = connections.entries.length;
  const table = Int32Array.from({ length: schemes.entries.length * width }, (_, at) =>
    place(
      scenarioOf({
        scheme: schemes.entries[Math.floor(at / width)] as Scheme,
        connection: connections.entries[at % width] as Connection,
      }),
    ),
  );
  const codes = new Int32Array(columns.n);
  for (let row = 0; row < codes.length; row++) {
    const scheme = schemes.codes[row] as number;
    codes[row] = table[scheme * width + (connections.codes[row] as number)] ?? -1;
  }
  return { strings: words, codes };
}

function numbering() {
  const words: string[] = [];
  const places = new Map<string, number>();
  function place(word: string | null): number {
    if (word === null) return -1;
    const known = places.get(word);
    if (known !== undefined) return known;
    places.set(word, words.push(word) - 1);
    return words.length - 1;
  }
  return { words, place };
}
