import type { SettingsProblem } from '../../../shared/settings/settings-problem.ts';

interface Placed {
  readonly pointer: string;
  /** A field, or a group of them. */
  readonly input: HTMLElement;
  readonly problem: HTMLElement;
}

/** Shows errors at their fields. */
export interface PlacedProblems {
  add(field: Placed): void;
  /** Shows the newest errors beside the fields. */
  show(problems: readonly SettingsProblem[]): void;
  /** Errors without a field. */
  unplaced(problems: readonly SettingsProblem[]): readonly SettingsProblem[];
  /** Moves the focus to the first field with an error; false if there is none. */
  focusFirst(problems: readonly SettingsProblem[]): boolean;
}

export function createPlacedProblems(): PlacedProblems {
  const placed: Placed[] = [];

  /** The field with the problem's path, or its nearest parent. */
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

/** A fieldset cannot have aria-invalid; it has the error as its description. */
function mark(input: HTMLElement, invalid: boolean): void {
  if (input.matches('fieldset')) input.classList.toggle('invalid', invalid);
  else if (invalid) input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
