import type { FastifySchema } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { object } from '../../../shared/vocabulary/json-schema.ts';
import type { Role } from '../../storage/store.ts';

/** What is wrong with a settings document, and where. */
export const SettingsProblemSchema = object({
  path: Type.String(),
  message: Type.String(),
  hint: Type.String(),
  code: Type.String(),
  /** What the message names. */
  values: Type.Optional(Type.Record(Type.String(), Type.String())),
});

const ErrorSchema = object(
  {
    error: object({
      code: Type.String(),
      message: Type.String(),
      hint: Type.String(),
      problems: Type.Optional(Type.Array(SettingsProblemSchema)),
    }),
  },
  { description: 'Every error of the interface.' },
);

/** Epoch milliseconds as RFC 3339. */
export const toMoment = <At extends number | null>(at: At) =>
  (at === null ? null : new Date(at).toISOString()) as At extends null ? null : string;

export const BY_ID = { params: Type.Object({ id: Type.String({ maxLength: 100 }) }) };

/** The options that every route has: who may call it, what it is for, and what it answers, with the errors that any may give. */
export const route = <Answer extends TSchema, const Rest extends FastifySchema = object, Status extends number = 200>(
  allow: readonly Role[] | 'everyone',
  summary: string,
  answer: Answer,
  rest?: Rest,
  status = 200 as Status,
) => {
  const answers = { [status]: answer } as Record<Status, Answer>;
  return {
    config: { allow },
    schema: { summary, ...(rest as Rest), response: { ...answers, '4xx': ErrorSchema, '5xx': ErrorSchema } },
  };
};
