import type { Recording, Step } from './recording.ts';
import { secretKind } from './typed-secrets.ts';
import { namesOfVariables, withoutValue } from './variables.ts';

/** The number of each step, from 1, that would type a secret which the recording has in plain text. */
export function stepsWithSecrets({ steps }: Pick<Recording, 'steps'>): number[] {
  return steps.flatMap((step, index) => (typesSecret(step) ? [index + 1] : []));
}

function typesSecret(step: Step): step is Step<'change'> {
  if (step.type !== 'change' || step.value === '') return false;
  // What was recorded is still there.
  if (step.lastbyte?.variable !== undefined) return step.value !== `{{${step.lastbyte.variable}}}`;
  if (/^\{\{\s*\w+\s*\}\}$/.test(step.value)) return false;
  const names = step.selectors.flat().join('\n');
  const field = { type: '', autocomplete: names, names, maxLength: -1, wasPassword: false };
  // Other tools record what people type; of that only what opens a door has to stay out.
  return ['password', 'code', 'card'].includes(secretKind(step.value, field) ?? '');
}

/** The recording with a variable in place of each such secret: `{{password}}`, `{{password2}}` … */
export function withoutSecrets<T extends Pick<Recording, 'steps'>>(recording: T): T {
  const own = recording.steps.map(withoutValue);
  const taken = namesOfVariables({ steps: own });
  const names = new Map<string, string>();
  const nameFor = (secret: string) => {
    let name = names.get(secret) ?? 'password';
    for (let n = 2; !names.has(secret) && taken.includes(name); n++) name = `password${n}`;
    names.set(secret, name);
    taken.push(name);
    return name;
  };
  const steps = own.map((step) => (typesSecret(step) ? { ...step, value: `{{${nameFor(step.value)}}}` } : step));
  return { ...recording, steps };
}
