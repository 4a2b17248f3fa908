import { Type } from 'typebox';
import type { StoreRoom } from '../../ingest/store-room.ts';
import type { AppDeps } from '../app-deps.ts';
import { ERRORS } from '../schemas/common-schemas.ts';
import type { TypedApp } from '../typed-app.ts';

const StatusSchema = Type.Object({ status: Type.Literal('ok') }, { additionalProperties: false });

/** Whoever asks may ask as often as he likes: the disk is asked once in this time, ms. */
const ASKED_EVERY_MS = 1000;

/** `/healthz`: the process answers. `/readyz`: the store took something and gave it back, now or a second ago, and has room for batches. */
export function healthRoutes(
  app: TypedApp,
  { store, clock, storeRoom }: Pick<AppDeps, 'store' | 'clock'> & { readonly storeRoom: Pick<StoreRoom, 'check'> },
): void {
  let asked: { readonly at: number; readonly answer: Promise<void> } | null = null;
  const options = (summary: string) =>
    ({
      config: { allow: 'everyone' },
      schema: { summary, response: { 200: StatusSchema, ...ERRORS } },
    }) as const;
  app.get('/healthz', options('200 while the process answers.'), async () => ({ status: 'ok' as const }));
  app.get('/readyz', options('200 while the store reads and writes.'), async () => {
    const now = clock();
    if (asked === null || Math.abs(now - asked.at) >= ASKED_EVERY_MS)
      asked = { at: now, answer: store.ready().then(() => storeRoom.check()) };
    await asked.answer;
    return { status: 'ok' as const };
  });
}
