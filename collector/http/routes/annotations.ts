import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { object, orNull } from '../../../shared/vocabulary/json-schema.ts';
import { openEnds, parseParameters, querystringSchema } from '../../questions/parameters.ts';
import { parseTime, type QueryString, readHost } from '../../questions/query-string.ts';
import { MAX_ANNOTATIONS } from '../../storage/store.ts';
import { annotate, annotationDocument } from '../annotate.ts';
import type { AppDeps, TypedApp } from '../api/app-deps.ts';
import { HttpError } from '../api/errors.ts';
import { nameOfToken } from '../auth/token-name.ts';
import { ANNOTATION_FIELDS } from '../schemas/annotation-fields.ts';
import { BY_ID, route } from '../schemas/common-schemas.ts';
import { Moment } from '../schemas/control-answers.ts';

const PATH = '/api/v1/annotations';
/** Characters of a time; its form is checked by hand, for an error that names it. */
const MAX_TIME = 40;
const MaybeText = orNull(Type.String());

const PARAMETERS = { range: openEnds('from', 'to', 'Only annotations that touch this range') };

const AnnotationSchema = object({
  id: Type.String(),
  at: Moment,
  until: orNull(Moment, { description: 'null for a moment' }),
  text: Type.String(),
  target: MaybeText,
  host: MaybeText,
  /** The label of the token, or `command line`. */
  author: Type.String(),
  createdAt: Moment,
});

/** Notes at moments, such as a release. Only admins change them. */
export function annotationRoutes(app: TypedApp, { store, clock }: Pick<AppDeps, 'store' | 'clock'>): void {
  app.get(PATH, {
    ...route(
      ['read', 'admin'],
      'Annotations in order of time: notes at a moment or over a period, such as a release.',
      object({ annotations: Type.Array(AnnotationSchema) }),
      { querystring: querystringSchema(PARAMETERS) },
    ),
    validatorCompiler: () => () => true,
    handler: async (request) => {
      const { range } = parseParameters(PARAMETERS, request.query as QueryString, clock());
      if (range.from !== null && range.to !== null && range.from >= range.to) {
        throw new HttpError('invalid_range', '`from` is not before `to`', 'from is inclusive, to exclusive.');
      }
      return { annotations: (await store.annotations.list(range)).map(annotationDocument) };
    },
  });

  app.post(PATH, {
    ...route(['admin'], 'Add an annotation, now unless `at` says when.', AnnotationSchema, {
      body: object({
        ...ANNOTATION_FIELDS,
        at: Type.Optional(Type.String({ maxLength: MAX_TIME, description: 'RFC 3339; now if absent.' })),
        until: Type.Optional(Type.String({ maxLength: MAX_TIME, description: 'Its end; a moment if absent.' })),
      }),
      example: { text: 'release 4.2', at: '2026-03-01T09:30:00Z', host: 'erp.example.com' },
    }),
    handler: async (request) => {
      const { text, at, until, target = null, host } = request.body;
      const now = clock();
      const annotation = {
        id: randomUUID(),
        at: at === undefined ? now : parseTime('at', at),
        until: until === undefined ? null : parseTime('until', until),
        text: text.normalize('NFC'),
        target,
        host: host === undefined ? null : readHost('host', host),
        author: nameOfToken(request.token),
        createdAt: now,
      };
      const outcome = await annotate(store, annotation);
      if (outcome === 'ends_before_it_begins') {
        throw new HttpError('invalid_range', '`until` is not after `at`', 'Leave it out for a moment.');
      }
      if (outcome === 'unknown_target') {
        throw new HttpError('unknown_target', `there is no app ${target}`, 'Take the id of a target in the settings.');
      }
      if (outcome === 'full') {
        throw new HttpError(
          'too_many_annotations',
          `there are already ${MAX_ANNOTATIONS} annotations`,
          'Delete old ones first.',
        );
      }
      return annotationDocument(annotation);
    },
  });

  app.delete(`${PATH}/:id`, {
    ...route(['admin'], 'Delete an annotation.', Type.Null(), BY_ID, 204),
    handler: async (request, reply) => {
      if (!(await store.annotations.remove(request.params.id))) {
        throw new HttpError('not_found', 'the annotation no longer exists', 'Read the list again.');
      }
      return reply.code(204).send(null);
    },
  });
}
