import { type TSchema, Type } from 'typebox';
import Compile, { type Validator } from 'typebox/compile';
import { Errors } from 'typebox/schema';
import type { DocumentProblem } from './document-problem.ts';
import { editDistance } from './edit-distance.ts';

/** At most this many of an object's unknown names are quoted. */
const MAX_QUOTED_NAMES = 5;
const MAX_QUOTED_LENGTH = 80;

/** Compiled when first needed; ten times as fast as `Value.Check`. The schemas are constants, so the map does not grow. */
const validators = new WeakMap<TSchema, unknown>();

export function compileValidator<Schema extends TSchema>(schema: Schema): Validator<Record<never, never>, Schema> {
  // Cast, because the map loses the type of the schema.
  const known = validators.get(schema) as Validator<Record<never, never>, Schema> | undefined;
  if (known !== undefined) return known;
  const compiled = Compile(schema);
  validators.set(schema, compiled);
  return compiled;
}

/** The JSON Schema keywords that typebox's types omit. */
interface Keywords {
  readonly additionalProperties?: unknown;
  readonly maxItems?: number;
}

/**
 * Finds what keeps a value from matching a schema, one problem at a time, so that the caller can stop early. `Value.Errors`
 * would first walk all of a hostile document. A list that is too long is reported and not entered, so the work is bounded by
 * the schema rather than the document. Names that a schema doesn't have are problems where it refuses them. `manual` is the page
 * that hints send to.
 */
export function* explainMismatch(
  schema: TSchema,
  value: unknown,
  path = '',
  manual = 'docs/operations.md',
): Generator<DocumentProblem> {
  const fits: boolean = compileValidator(schema).Check(value);
  if (fits) return;
  if (Type.IsObject(schema) && isObject(value)) {
    const { properties, additionalProperties, ...own }: typeof schema & Keywords = schema;
    yield* ownFaults(own, value, path, manual);
    const unknown = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
    if (additionalProperties === false && unknown.length > 0) {
      yield unknownNames(unknown, Object.keys(properties), path, manual);
    }
    for (const [name, inner] of Object.entries(properties)) {
      if (Object.hasOwn(value, name)) yield* explainMismatch(inner, value[name], `${path}/${name}`, manual);
    }
  } else if (Type.IsArray(schema) && Array.isArray(value)) {
    const { items, ...own }: typeof schema & Keywords = schema;
    yield* ownFaults(own, value, path, manual);
    if (value.length > (own.maxItems ?? Number.POSITIVE_INFINITY)) return;
    for (const [index, inner] of value.entries()) yield* explainMismatch(items, inner, `${path}/${index}`, manual);
  } else {
    yield* ownFaults(schema, value, path, manual);
  }
}

/** Checks a schema without its members, so nothing inside the value is examined. */
function* ownFaults(schema: TSchema, value: unknown, path: string, manual: string): Generator<DocumentProblem> {
  const words = wordsOf(schema);
  if (words !== null) {
    const allowed = words.join(', ');
    const hint = 'Check the spelling; case matters.';
    yield { path, message: `must be one of ${allowed}`, hint, code: 'not_one_of', values: { allowed } };
    return;
  }
  for (const error of Errors(schema, value)[1]) {
    switch (error.keyword) {
      case 'required':
        yield {
          path,
          message: `${error.params.requiredProperties.join(', ')} is missing`,
          hint: `Add it; ${manual} shows a complete document.`,
          code: 'required',
          values: { names: error.params.requiredProperties.join(', ') },
        };
        break;
      case 'const':
        yield {
          path,
          message: error.message,
          hint: `The only allowed value is ${error.params.allowedValue}.`,
          code: 'not_one_of',
          values: { allowed: String(error.params.allowedValue) },
        };
        break;
      default:
        yield {
          path,
          message: faultSentence(error),
          hint: `Correct the value; ${manual} lists what is allowed.`,
          ...codeOf(error),
        };
    }
  }
}

interface SchemaFault {
  readonly keyword: string;
  readonly params: object;
  readonly message?: string;
}

/** Forms that people type, by their `pattern`. */
const FORMS: Readonly<Record<string, string>> = {
  '^[a-z0-9][a-z0-9-]{0,62}$': 'takes lower-case letters, digits and hyphens, at most 63',
};

/** What a schema refuses, to follow the name of the field: never a regular expression. */
export function faultSentence({ keyword, params, message = 'is not allowed' }: SchemaFault): string {
  const { limit, pattern } = params as { readonly limit?: number; readonly pattern?: unknown };
  switch (keyword) {
    case 'pattern':
      return FORMS[String(pattern)] ?? 'does not have the form it needs';
    case 'minLength':
      return limit === 1 ? 'is empty' : `has fewer than ${limit} characters`;
    case 'maxLength':
      return `has more than ${limit} characters`;
    default:
      return message;
  }
}

/** Codes by JSON Schema keyword. */
const CODES: Readonly<Record<string, string>> = {
  type: 'wrong_type',
  minimum: 'too_small',
  exclusiveMinimum: 'not_above',
  maximum: 'too_large',
  minLength: 'too_short',
  maxLength: 'too_long',
  minItems: 'too_few',
  maxItems: 'too_many',
  pattern: 'wrong_form',
};

function codeOf({ keyword, params }: { readonly keyword: string; readonly params: object }): {
  readonly code: string;
  readonly values: Readonly<Record<string, string>>;
} {
  const { limit, type } = params as { readonly limit?: unknown; readonly type?: unknown };
  const values = { ...(limit === undefined ? {} : { limit: String(limit) }), ...(type ? { type: String(type) } : {}) };
  return { code: CODES[keyword] ?? 'not_allowed', values };
}

/** The allowed values of an enumeration; null for any other schema. */
function wordsOf({ anyOf }: { readonly anyOf?: readonly { readonly const?: unknown }[] }): readonly unknown[] | null {
  const words = anyOf?.map((each) => each.const) ?? [];
  return words.length === 0 || words.includes(undefined) ? null : words;
}

function unknownNames(
  names: readonly string[],
  known: readonly string[],
  path: string,
  manual: string,
): DocumentProblem {
  const quoted = names.slice(0, MAX_QUOTED_NAMES).map((name) => name.slice(0, MAX_QUOTED_LENGTH));
  const more = names.length - quoted.length;
  const meant = [...new Set(quoted.flatMap((name) => nearestName(name, known) ?? []))];
  return {
    path,
    message: `unknown name ${quoted.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
    hint:
      meant.length === 0
        ? `Check the spelling; ${manual} lists every name.`
        : `Did you mean ${meant.join(', ')}? ${manual} lists every name.`,
    code: 'unknown_name',
    values: { names: quoted.join(', ') },
  };
}

/** The name that was probably meant: at most a third of the letters differ, and no more than 3. */
function nearestName(name: string, known: readonly string[]): string | null {
  const [nearest] = known
    .map((word) => ({ word, edits: editDistance(name.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, edits }) => edits <= Math.min(3, word.length / 3))
    .sort((a, b) => a.edits - b.edits);
  return nearest?.word ?? null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
