import { Type } from 'typebox';
import type { AppDeps } from '../app-deps.ts';
import { ERRORS } from '../schemas/common-schemas.ts';
import type { TypedApp } from '../typed-app.ts';

const StatusSchema = Type.Object({ status: Type.Literal('ok') }, { additionalProperties: false });

/** `/healthz`: the process answers. `/readyz`: the store takes and gives data now. */
export function healthRoutes(app: TypedApp, { store }: Pick<AppDeps, 'store'>): void {
  const options = {
    config: { allow: 'everyone' },
    schema: { response: { 200: StatusSchema, ...ERRORS } },
  } as const;
  app.get('/healthz', options, async () => ({ status: 'ok' as const }));
  app.get('/readyz', options, async () => {
    await store.ready();
    return { status: 'ok' as const };
  });
}
