import { Type } from 'typebox';
import { TLS_FACTS, type TlsDocument, type TlsRow } from '../../analysis/documents/tls-answer.ts';
import { Count, MethodSchema, orNull, shape, TimeStatisticsSchema, words } from './answer-parts.ts';

export const TlsSchema = Type.Unsafe<TlsDocument>(
  shape<TlsDocument>({
    method: MethodSchema,
    samples: Count,
    told: orNull(Count),
    rows: Type.Array(
      shape<TlsRow>({
        fact: words(TLS_FACTS),
        value: Type.String(),
        samples: Count,
        browsers: Count,
        tls: orNull(TimeStatisticsSchema),
        ttlb: orNull(TimeStatisticsSchema),
      }),
    ),
  }),
);
