import { Type } from 'typebox';
import { PLAIN_NAME } from '../../../shared/vocabulary/plain-text.ts';

export const MAX_ANNOTATION_TEXT = 200;

/** What an annotation says, and what it is about, as a request or a command gives it. */
export const ANNOTATION_FIELDS = {
  text: Type.String({
    minLength: 1,
    maxLength: MAX_ANNOTATION_TEXT,
    pattern: PLAIN_NAME,
    description: 'What happened, such as “release 4.2”.',
  }),
  target: Type.Optional(Type.String({ maxLength: 63, description: 'Id of the app that it is about; all if absent.' })),
  host: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 253,
      description: 'Host that it is about, without a port; all if absent.',
    }),
  ),
};
