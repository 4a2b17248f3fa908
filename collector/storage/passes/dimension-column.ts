import { NULL, type SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { toScenario } from '../../../shared/sample/scenario.ts';
import type { AnyDimension } from '../../../shared/vocabulary/dimensions.ts';
import type { Connection, Scheme } from '../../../shared/vocabulary/vocabulary.ts';
import { originWord } from '../../reductions/sample-dimension.ts';

/** One dimension of every row: indices into a list of strings, −1 if the row has none. */
export interface DimensionColumn {
  readonly codes: Int32Array;
  readonly strings: readonly string[];
}

/** `client` is a browser's id, which no answer contains. */
export function dimensionColumn(columns: SampleColumns, dimension: AnyDimension | 'client'): DimensionColumn {
  switch (dimension) {
    case 'client':
      return originColumn(columns, ({ client }) => client);
    case 'site':
      return originColumn(columns, ({ site }) => site || null);
    case 'browser':
    case 'browserVersion':
    case 'extension':
      return originColumn(columns, (origin) => originWord(origin, dimension));
    case 'scenario':
      return scenarioColumn(columns);
    case 'journeyStep':
      return stepColumn(columns);
    default: {
      const { strings, codes } = columns.text(dimension);
      return { strings, codes };
    }
  }
}

function originColumn(
  columns: SampleColumns,
  of: (origin: SampleColumns['origins'][number]) => string | null,
): DimensionColumn {
  const { strings, index } = numbering();
  const indices = Int32Array.from(columns.origins, (one) => index(of(one)));
  const codes = new Int32Array(columns.n);
  const ofRow = columns.origin();
  for (let row = 0; row < codes.length; row++) codes[row] = indices[ofRow[row] as number] as number;
  return { strings, codes };
}

function scenarioColumn(columns: SampleColumns): DimensionColumn {
  const schemes = columns.text('scheme');
  const connections = columns.text('connection');
  const { strings, index } = numbering();
  const width = connections.strings.length;
  const table = Int32Array.from({ length: schemes.strings.length * width }, (_, at) =>
    index(
      toScenario({
        scheme: schemes.strings[Math.floor(at / width)] as Scheme,
        connection: connections.strings[at % width] as Connection,
      }),
    ),
  );
  const codes = new Int32Array(columns.n);
  for (let row = 0; row < codes.length; row++) {
    const scheme = schemes.codes[row] as number;
    codes[row] = table[scheme * width + (connections.codes[row] as number)] ?? -1;
  }
  return { strings, codes };
}

function stepColumn(columns: SampleColumns): DimensionColumn {
  const { strings, index } = numbering();
  const steps = columns.number('step');
  return { strings, codes: Int32Array.from(steps, (step) => index(step === NULL ? null : String(step))) };
}

/** Numbers strings in the order in which they first occur; null is −1. */
export function numbering() {
  const strings: string[] = [];
  const indices = new Map<string, number>();
  function index(value: string | null): number {
    if (value === null) return -1;
    const known = indices.get(value);
    if (known !== undefined) return known;
    indices.set(value, strings.push(value) - 1);
    return strings.length - 1;
  }
  return { strings, index };
}
