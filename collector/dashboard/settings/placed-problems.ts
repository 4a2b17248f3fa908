import type { SettingsProblem } from '../../../shared/settings/settings-problem.ts';

interface Placed {
  readonly pointer: string;
  /** A field, or a group of them. */
  readonly input: HTMLElement;
  readonly problem: HTMLElement;
}

/** What is wrong, each at its own field. */
export interface PlacedProblems {
  add(field: Placed): void;
  /** Shows the newest problems beside the fields. */
  show(problems: readonly SettingsProblem[]): void;
  /** Problems that no field shows. */
  unplaced(problems: readonly SettingsProblem[]): readonly SettingsProblem[];
  /** Puts the reader at the first field with a problem. */
  focusFirst(problems: readonly SettingsProblem[]): boolean;
}

export function createPlacedProblems(): PlacedProblems {
  const placed: Placed[] = [];

  /** The field that stands at the problem's place, or nearest above it. */
  function fieldOf({ path }: SettingsProblem): Placed | undefined {
    return placed
      .filter(({ pointer }) => path === pointer || path.startsWith(`${pointer}/`))
      .sort((one, other) => other.pointer.length - one.pointer.length)[0];
  }

  return {
    add: (field) => placed.push(field),
    show(problems) {
      for (const { problem, input } of placed) {
        problem.textContent = '';
        mark(input, false);
      }
      for (const one of problems) {
        const at = fieldOf(one);
        if (at === undefined) continue;
        mark(at.input, true);
        at.problem.textContent = [at.problem.textContent, `${capital(one.message)}. ${one.hint}`]
          .filter((text) => text)
          .join(' ');
      }
    },
    unplaced: (problems) => problems.filter((problem) => fieldOf(problem) === undefined),
    focusFirst(problems) {
      const at = problems.map(fieldOf).find((found) => found !== undefined);
      if (at === undefined) return false;
      for (let box = at.input.closest('details'); box !== null; box = box.parentElement?.closest('details') ?? null) {
        box.open = true;
      }
      const field = at.input.matches('fieldset') ? at.input.querySelector<HTMLElement>('input') : at.input;
      field?.focus();
      return true;
    },
  };
}

/** A group takes no aria-invalid: its problem is what describes it. */
function mark(input: HTMLElement, invalid: boolean): void {
  if (input.matches('fieldset')) input.classList.toggle('invalid', invalid);
  else if (invalid) input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
