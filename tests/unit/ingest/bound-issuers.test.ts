import { expect, test } from 'vitest';
import { boundLabels } from '../../../collector/ingest/bounds/batch-bounds.ts';
import { toBatchColumns } from '../../../collector/ingest/decode/decode-batch.ts';
import { TEXT_INDEX } from '../../../shared/sample/sample-columns.ts';
import { PLAIN_SAMPLE } from '../wire/arbitrary-sample.ts';

test('an issuer that no row has uses up no space', () => {
  const columns = toBatchColumns([PLAIN_SAMPLE, PLAIN_SAMPLE]);
  const texts = [...columns.texts];
  texts[TEXT_INDEX.tlsIssuer] = { strings: ['Invented', 'R11'], codes: Int32Array.from([1, -1]) };
  const asked: string[] = [];
  const bound = boundLabels({ ...columns, texts }, 'tlsIssuer', (issuers) => {
    asked.push(...issuers.filter((issuer) => issuer !== ''));
    return issuers;
  });
  expect(asked).toEqual(['R11']);
  expect(bound.folded).toBe(0);
  expect(bound.columns.texts[TEXT_INDEX.tlsIssuer]?.codes).toEqual(Int32Array.from([1, -1]));
});
