import { wantedElement } from './nearest-elements.ts';
import type { Step } from './recording.ts';
import { redactAddress } from './run-outcome.ts';

/** What people call a step that has no name of its own: `click Save`, `navigate https://erp.example.com/login`. */
export function nameStep(step: Step): string {
  if (step.lastbyte?.name !== undefined) return step.lastbyte.name;
  return `${step.type} ${objectOf(step)}`.trim().slice(0, 100);
}

function objectOf(step: Step): string {
  if (step.type === 'navigate') return redactAddress(step.url);
  if (step.type === 'keyDown' || step.type === 'keyUp') return step.key;
  if (step.type === 'setViewport') return `${step.width} × ${step.height}`;
  const [first = []] = step.selectors ?? [];
  return wantedElement(step.selectors ?? [])?.name ?? [first].flat().at(-1) ?? '';
}
