import { type Recording, VARIABLE_NAME } from './recording.ts';

/** `{{name}}` in the value of a `change` step: filled where the journey runs, so that a recording has no secret in it. */
const VARIABLE = new RegExp(`\\{\\{\\s*(${VARIABLE_NAME})\\s*\\}\\}`, 'g');

export type VariableValues = Readonly<Record<string, string>>;

/** The variables of a recording, in the order in which they are needed. */
export function namesOfVariables({ steps }: Pick<Recording, 'steps'>): string[] {
  const names = steps.flatMap((step) =>
    step.type === 'change' ? Array.from(step.value.matchAll(VARIABLE), ([, name = '']) => name) : [],
  );
  return [...new Set(names)];
}

/** Those without a value: a run must not begin, and then fail before the password. */
export function missingVariables(recording: Pick<Recording, 'steps'>, values: VariableValues): string[] {
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
