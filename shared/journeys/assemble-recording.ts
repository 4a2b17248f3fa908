import type { ElementStep, Recording, Step } from './recording.ts';
import type { SecretKind } from './typed-secrets.ts';

/** What a recorder saw, in the order in which it was done. */
export interface Recorded {
  /** The page on which it was done, as an address that may be shown; null within a frame, which does not know it. */
  readonly page: string | null;
  /** Done together, such as a key that is pressed and released. */
  readonly steps: readonly Step[];
  /** Stands for what was typed. Equal values of a document have the same id, and none has it elsewhere. */
  readonly secret?: { readonly kind: SecretKind; readonly document: string; readonly id: string };
  /** Of a page alone: whether it came from what was done before, or a user opened it. */
  readonly follows?: boolean;
}

type Groups = (readonly Step[])[];

/** Everything that was recorded as one recording; steps that others make needless are left out. */
export function assembleRecording(recorded: readonly Recorded[], lastPage: string | null, title: string): Recording {
  const groups: Groups = [];
  const nameSecret = secretNames();
  let here: string | null = null;
  const arrive = (page: string | null) => {
    const last = groups.at(-1);
    if (page !== null && page !== here && last !== undefined) groups.splice(-1, 1, assertPage(last, page));
    here = page ?? here;
  };
  for (const each of recorded) {
    if (each.follows === false) here = each.page;
    else arrive(each.page);
    if (each.follows === undefined) append(groups, nameSecret(each));
    else if (groups.length === 0) groups.push(each.steps);
    else if (!each.follows) groups.push(each.steps.filter(({ type }) => type === 'navigate'));
  }
  arrive(lastPage);
  return { title, steps: groups.flat() };
}

function assertPage(steps: readonly Step[], url: string): readonly Step[] {
  const asserted = { ...steps.at(-1), assertedEvents: [{ type: 'navigation', url }] } as Step;
  return [...steps.slice(0, -1), asserted];
}

function append(groups: Groups, steps: readonly Step[]): void {
  const [step] = steps;
  const follows = (is: (before: Step) => boolean) => {
    const before = groups.at(-1) ?? [];
    return before[0] !== undefined && before.at(-1)?.assertedEvents === undefined && is(before[0]);
  };
  const follow = (...types: string[]) =>
    follows((before) => types.includes(before.type) && fieldOf(before) === fieldOf(step));
  // Both set the focus themselves.
  const isTab = (before: Step) => before.type === 'keyDown' && before.key === 'Tab';
  if ((step?.type === 'change' || step?.type === 'click') && follows(isTab)) groups.pop();
  // The last value counts.
  if (step?.type === 'change') while (follow('change', 'click')) groups.pop();
  if (step?.type === 'doubleClick') while (follow('click')) groups.pop();
  groups.push(steps);
}

function fieldOf(step: Step | undefined): string {
  const { frame, selectors } = step as ElementStep;
  return JSON.stringify([frame, selectors]);
}

/** `password`, and `password2` for another one. Across pages the field decides, because no value has left its page. */
function secretNames(): (recorded: Recorded) => readonly Step[] {
  const byId = new Map<string, string>();
  const byField = new Map<string, { readonly name: string; readonly document: string }>();
  const counts = new Map<SecretKind, number>();
  return ({ page, steps, secret }) => {
    if (secret === undefined) return steps;
    const { kind, document, id } = secret;
    const field = `${kind} ${page} ${fieldOf(steps[0])}`;
    const earlier = byField.get(field);
    const known = byId.get(id) ?? (earlier?.document === document ? undefined : earlier?.name);
    const count = (counts.get(kind) ?? 0) + (known === undefined ? 1 : 0);
    const variable = known ?? (count === 1 ? kind : `${kind}${count}`);
    counts.set(kind, count);
    byId.set(id, variable);
    byField.set(field, { name: variable, document });
    return steps.map(
      (step) => ({ ...step, value: `{{${variable}}}`, lastbyte: { ...step.lastbyte, variable } }) as Step,
    );
  };
}
