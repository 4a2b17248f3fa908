import { Type } from 'typebox';
import { object } from '../../../shared/vocabulary/json-schema.ts';
import { PLAIN_NAME } from '../../../shared/vocabulary/plain-text.ts';
import { MAX_SAVED_VIEWS } from '../../storage/store.ts';
import type { AppDeps, TypedApp } from '../api/app-deps.ts';
import { HttpError } from '../api/errors.ts';
import { nameOfToken } from '../auth/token-name.ts';
import { route, toMoment } from '../schemas/common-schemas.ts';
import { VIEW_QUERY, ViewSchema } from '../schemas/control-answers.ts';

const PATH = '/api/v1/views';
const MAX_NAME = 80;

const Id = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$', description: 'Chosen by whoever saves it.' });
const NAME = {
  name: Type.String({
    minLength: 1,
    maxLength: MAX_NAME,
    pattern: PLAIN_NAME,
    description: 'Of which there is only one, upper or lower case.',
  }),
  query: VIEW_QUERY,
};

/** Named views of the dashboard, shared by everyone who may see it. Only admins change them. */
export function viewRoutes(app: TypedApp, { store, clock }: Pick<AppDeps, 'store' | 'clock'>): void {
  app.get(PATH, {
    ...route(['read', 'admin'], 'The saved views, by name.', object({ views: Type.Array(ViewSchema) })),
    handler: async () => ({
      views: (await store.views.list()).map(({ at, ...view }) => ({ ...view, at: toMoment(at) })),
    }),
  });

  app.put(`${PATH}/:id`, {
    ...route(['admin'], 'Save a view under a name, new or in place of the one with this id.', ViewSchema, {
      params: Type.Object({ id: Id }),
      body: object(NAME),
      example: { name: 'ERP this week', query: '?range=7d&target=erp' },
    }),
    handler: async (request) => {
      const { id } = request.params;
      const { name, query } = request.body;
      const view = { id, name: name.normalize('NFC'), query, at: clock(), author: nameOfToken(request.token) };
      const outcome = await store.views.write(view);
      if (outcome === 'name_taken') {
        throw new HttpError('name_taken', `there is already a view named ${name}`, 'Choose another name.');
      }
      if (outcome === 'full') {
        throw new HttpError('too_many_views', `there are already ${MAX_SAVED_VIEWS} views`, 'Delete one first.');
      }
      return { ...view, at: toMoment(view.at) };
    },
  });

  app.delete(`${PATH}/:id`, {
    ...route(['admin'], 'Delete a saved view.', Type.Null(), { params: Type.Object({ id: Id }) }, 204),
    handler: async (request, reply) => {
      if (!(await store.views.remove(request.params.id))) {
        throw new HttpError('not_found', 'the view no longer exists', 'Read the list again.');
      }
      return reply.code(204).send(null);
    },
  });
}
