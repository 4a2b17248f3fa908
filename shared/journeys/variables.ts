/** A variable's name, which may be part of the name of an environment variable. */
export const VARIABLE_NAME = '[A-Za-z_][A-Za-z0-9_]{0,63}';

/** `{{name}}` in the value of a `change` step: filled where the journey runs, so that a recording has no secret in it. */
const VARIABLE = new RegExp(`\\{\\{\\s*(${VARIABLE_NAME})\\s*\\}\\}`, 'g');

/** The part of a recording that may need variables. */
interface Typing {
  readonly steps: readonly { readonly type: string; readonly value?: string }[];
}

export type VariableValues = Readonly<Record<string, string>>;

/** The variables of a recording, in the order in which they are needed. */
export function namesOfVariables({ steps }: Typing): string[] {
  const names = steps.flatMap((step) =>
    step.type === 'change' ? Array.from((step.value ?? '').matchAll(VARIABLE), ([, name = '']) => name) : [],
  );
  return [...new Set(names)];
}

/** Those without a value: a run must not begin, and then fail before the password. */
export function missingVariables(recording: Typing, values: VariableValues): string[] {
  return namesOfVariables(recording).filter((name) => !Object.hasOwn(values, name));
}

/** The text to type. A value is taken literally, even where it looks like a variable. Throws if one is missing. */
export function fillVariables(text: string, values: VariableValues): string {
  return text.replace(VARIABLE, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new Error(`The variable ${name} has no value.`);
    return value;
  });
}

/** A step with `lastbyte.variable` types that, whatever was recorded. */
export function withoutValue<T extends { readonly type: string; readonly lastbyte?: object }>(step: T): T {
  const { variable } = (step.lastbyte ?? {}) as { readonly variable?: string };
  return step.type === 'change' && variable !== undefined ? { ...step, value: `{{${variable}}}` } : step;
}
