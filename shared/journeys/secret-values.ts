import type { Recording, Step } from './recording.ts';
import { secretKind } from './typed-secrets.ts';
import { namesOfVariables } from './variables.ts';

/** The number of each step, from 1, that would type a secret which the recording has in plain text. */
export function stepsWithSecrets({ steps }: Pick<Recording, 'steps'>): number[] {
  return steps.flatMap((step, index) => (typesSecret(step) ? [index + 1] : []));
}

function typesSecret(step: Step): step is Step<'change'> {
  if (step.type !== 'change' || step.lastbyte?.variable !== undefined || step.value === '') return false;
  if (namesOfVariables({ steps: [step] }).length > 0) return false;
  const names = step.selectors.flat().join('\n');
  const field = { type: '', autocomplete: names, names, maxLength: -1, wasPassword: false };
  // Other tools record what people type; of that only what opens a door has to stay out.
  return ['password', 'code', 'card'].includes(secretKind(step.value, field) ?? '');
}

/** The recording with a variable in place of each such secret: `{{password}}`, `{{password2}}` … */
export function withoutSecrets<T extends Pick<Recording, 'steps'>>(recording: T): T {
  const seen: string[] = [];
  const steps = recording.steps.map((step) => {
    if (!typesSecret(step)) return step;
    if (!seen.includes(step.value)) seen.push(step.value);
    const index = seen.indexOf(step.value);
    return { ...step, value: `{{password${index === 0 ? '' : index + 1}}}` };
  });
  return { ...recording, steps };
}
