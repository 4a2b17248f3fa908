import { Type } from 'typebox';
import { MAX_ROWS } from '../../../shared/vocabulary/wire-limits.ts';
import type { BatchAnswer } from '../../../shared/wire/wire-batch.ts';

const Column = Type.Array(Type.Union([Type.Number(), Type.Null()]), { maxItems: MAX_ROWS });

/** The outline of a batch for the interface's description; docs/wire-format.md has every field, decodeBatch judges. */
export const BatchSchema = Type.Object({
  version: Type.Literal(1),
  batch: Type.String({ format: 'uuid' }),
  client: Type.String(),
  site: Type.String(),
  browser: Type.Union([Type.Literal('chromium'), Type.Literal('firefox')]),
  browserVersion: Type.String(),
  extensionVersion: Type.String(),
  clockStep: Type.Integer(),
  sentAt: Type.Integer(),
  n: Type.Integer({ minimum: 0, maximum: MAX_ROWS }),
  dictionaries: Type.Record(Type.String(), Type.Array(Type.Unknown())),
  columns: Type.Object({ at: Column, times: Type.Record(Type.String(), Column) }),
});

export const BatchAnswerSchema = Type.Unsafe<BatchAnswer>(
  Type.Object(
    {
      batch: Type.String(),
      duplicate: Type.Boolean(),
      accepted: Type.Integer({ minimum: 0 }),
      rejected: Type.Array(
        Type.Object({ row: Type.Integer({ minimum: 0 }), code: Type.String() }, { additionalProperties: false }),
      ),
    },
    { additionalProperties: false },
  ),
);
