import { Type } from 'typebox';
import { object, orNull } from '../../../shared/vocabulary/json-schema.ts';
import { MAX_ROWS } from '../../../shared/vocabulary/wire-limits.ts';
import type { BatchAnswer } from '../../../shared/wire/wire-batch.ts';

const Column = Type.Array(orNull(Type.Number()), { maxItems: MAX_ROWS });

/** The outline of a batch; docs/wire-format.md has every field, and decodeBatch validates them. */
const BatchSchema = Type.Object({
  version: Type.Literal(1),
  batch: Type.String({ format: 'uuid' }),
  client: Type.String(),
  site: Type.String(),
  browser: Type.Union([Type.Literal('chromium'), Type.Literal('firefox'), Type.Literal('other')]),
  browserVersion: Type.String(),
  extensionVersion: Type.String(),
  clockStep: Type.Integer(),
  sentAt: Type.Integer(),
  n: Type.Integer({ minimum: 0, maximum: MAX_ROWS }),
  dictionaries: Type.Record(Type.String(), Type.Array(Type.Unknown())),
  columns: Type.Object({ at: Column, times: Type.Record(Type.String(), Column) }),
});

export const BatchAnswerSchema = Type.Unsafe<BatchAnswer>(
  object({
    batch: Type.String(),
    duplicate: Type.Boolean(),
    accepted: Type.Integer({ minimum: 0 }),
    rejected: Type.Array(object({ row: Type.Integer({ minimum: 0 }), code: Type.String() })),
  }),
);

const DICTIONARIES = {
  target: ['erp'],
  host: ['erp.example.com'],
  scheme: ['https'],
  template: ['/orders/{n}'],
  type: ['document'],
  protocol: ['h2'],
  source: ['page'],
  connection: ['new'],
  connectionEvidence: ['connect_took_time'],
  handshake: ['unknown'],
};

/** A batch that is accepted as it is. */
export const BATCH_EXAMPLE = {
  version: 1,
  batch: '7d6f5e4c-3b2a-4190-8f7e-6d5c4b3a2910',
  client: '3f0e9d8c-7b6a-4958-8746-352413021100',
  site: 'Hannover',
  browser: 'chromium',
  browserVersion: '130.0',
  extensionVersion: '0.1.0',
  clockStep: 100,
  sentAt: 1772366400000,
  n: 1,
  dictionaries: DICTIONARIES,
  columns: {
    at: [1772366399000],
    ...Object.fromEntries(Object.keys(DICTIONARIES).map((name) => [name, [0]])),
    times: {
      blocked: [300],
      dns: [1200],
      tcp: [40100],
      tls: [41800],
      wait: [61000],
      receive: [2500],
      redirect: [0],
      ttfb: [144400],
      ttlb: [146900],
    },
    status: [200],
  },
};

/** For OpenAPI. */
export const BatchBodySchema = {
  content: { 'application/json': { schema: { ...BatchSchema, examples: [BATCH_EXAMPLE] } } },
};
