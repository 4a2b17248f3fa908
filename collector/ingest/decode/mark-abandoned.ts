import { wasGivenUp } from '../../../shared/classify/abandoned.ts';
import { NULL, TEXT_INDEX, type TextColumn } from '../../../shared/sample/sample-columns.ts';
import { isProbe } from '../../../shared/vocabulary/vocabulary.ts';
import type { BatchColumns } from '../../storage/columns/batch-columns.ts';
import { replaceText } from './replace-text.ts';

/**
 * Excludes requests that their page gave up as `abandoned`, not as `failed`: extensions do not tell the two apart. A probe
 * gives nothing up, so there it stays a failure.
 *
 * @returns the same object if there are none
 */
export function markAbandoned(columns: BatchColumns): BatchColumns {
  const { texts } = columns;
  const excluded = texts[TEXT_INDEX.excluded];
  const failed = excluded?.strings.indexOf('failed') ?? -1;
  if (excluded === undefined || failed < 0) return columns;
  const textAt = (text: TextColumn | undefined, row: number) => {
    const code = text?.codes[row] ?? NULL;
    return code === NULL ? null : (text?.strings[code] ?? null);
  };
  const isAbandoned = (row: number) =>
    excluded.codes[row] === failed &&
    !isProbe(textAt(texts[TEXT_INDEX.source], row) ?? '') &&
    wasGivenUp(textAt(texts[TEXT_INDEX.error], row), textAt(texts[TEXT_INDEX.connectionEvidence], row));
  if (!excluded.codes.some((_, row) => isAbandoned(row))) return columns;
  return replaceText(columns, 'excluded', excluded, 'abandoned', isAbandoned);
}
