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
  /** A page that came from what was done before, rather than from a user who opened it. */
  readonly follows?: boolean;
}

interface Group {
  readonly steps: readonly Step[];
}

/** Everything that was recorded as one recording; steps that others make needless are left out. */
export function assembleRecording(recorded: readonly Recorded[], lastPage: string | null, title: string): Recording {
  const groups: Group[] = [];
  const nameSecret = secretNames();
  let here: string | null = null;
  const arrive = (page: string | null) => {
    const last = groups.pop();
    if (last !== undefined)
      groups.push(page === null || page === here ? last : { steps: assertPage(last.steps, page) });
    here = page ?? here;
  };
  for (const each of recorded) {
    const [first] = each.steps;
    const isPage = first?.type === 'setViewport' || first?.type === 'navigate';
    if (!isPage || each.follows) arrive(each.page);
    if (isPage && each.follows && groups.length > 0) continue;
    if (isPage) {
      here = each.page;
      groups.push({ steps: groups.length === 0 ? each.steps : each.steps.filter(({ type }) => type === 'navigate') });
    } else append(groups, each.secret === undefined ? each.steps : nameSecret(each));
  }
  arrive(lastPage);
  return { title, steps: groups.flatMap(({ steps }) => steps) };
}

function assertPage(steps: readonly Step[], url: string): readonly Step[] {
  const asserted = { ...steps.at(-1), assertedEvents: [{ type: 'navigation', url }] } as Step;
  return [...steps.slice(0, -1), asserted];
}

function append(groups: Group[], steps: readonly Step[]): void {
  const [step] = steps;
  const before = () => groups.at(-1)?.steps[0];
  // Both set the focus themselves.
  if ((step?.type === 'change' || step?.type === 'click') && isTab(groups.at(-1)?.steps)) groups.pop();
  // The last value counts, and typing sets the focus.
  if (step?.type === 'change' && ['change', 'click'].some((type) => isSame(before(), step, type))) groups.pop();
  for (let clicks = 0; clicks < 2 && step?.type === 'doubleClick' && isSame(before(), step, 'click'); clicks++)
    groups.pop();
  groups.push({ steps });
}

function isTab(steps: readonly Step[] = []): boolean {
  return (
    steps.some((step) => step.type === 'keyDown' && step.key === 'Tab') && steps.at(-1)?.assertedEvents === undefined
  );
}

function isSame(step: Step | undefined, other: ElementStep, type: string): boolean {
  return step?.type === type && step.assertedEvents === undefined && fieldOf(step as ElementStep) === fieldOf(other);
}

function fieldOf({ frame, selectors }: ElementStep): string {
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
    const field = `${kind} ${page} ${fieldOf(steps[0] as ElementStep)}`;
    const earlier = byField.get(field);
    let name = byId.get(id) ?? (earlier?.document === document ? undefined : earlier?.name);
    if (name === undefined) {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      name = count === 1 ? kind : `${kind}${count}`;
    }
    byId.set(id, name);
    byField.set(field, { name, document });
    const variable = name;
    return steps.map(
      (step) => ({ ...step, value: `{{${variable}}}`, lastbyte: { ...step.lastbyte, variable } }) as Step,
    );
  };
}
