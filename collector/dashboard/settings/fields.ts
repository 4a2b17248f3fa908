import type { SettingsProblem } from '../../../shared/settings/validate-settings.ts';
import type { Json } from '../model/settings-diff.ts';
import { pointerOf, type SettingsPath } from '../model/settings-path.ts';
import { element } from '../render/element.ts';
import type { Editor } from './editor.ts';

export interface FieldText {
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly unit?: string;
}

/** Fields bound to the draft. Each shows what is wrong at its own place, and the rest is told by `unplaced`. */
export interface Fields {
  text(path: SettingsPath, text: FieldText): HTMLElement;
  /** A list of texts, one a line. */
  lines(path: SettingsPath, text: FieldText & { readonly rows?: number; readonly required?: boolean }): HTMLElement;
  number(
    path: SettingsPath,
    text: FieldText & { readonly min?: number; readonly max?: number; readonly step?: string },
  ): HTMLElement;
  check(path: SettingsPath, text: FieldText): HTMLElement;
  choice(
    path: SettingsPath,
    text: FieldText & { readonly options: readonly (readonly [value: string, label: string])[] },
  ): HTMLElement;
  /** Shows the newest problems beside the fields. */
  show(problems: readonly SettingsProblem[]): void;
  /** Problems that no field shows. */
  unplaced(problems: readonly SettingsProblem[]): readonly SettingsProblem[];
  /** Puts the reader at the first field with a problem. */
  focusFirst(problems: readonly SettingsProblem[]): boolean;
}

interface Placed {
  readonly pointer: string;
  readonly input: HTMLElement;
  readonly problem: HTMLElement;
}

export function createFields(editor: Editor, readOnly: boolean): Fields {
  const placed: Placed[] = [];

  function field(
    path: SettingsPath,
    { label, hint, unit }: FieldText,
    input: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement,
  ) {
    const pointer = pointerOf(path);
    const id = `setting${pointer.replaceAll(/[^\w-]/g, '-')}`;
    input.id = id;
    input.disabled = readOnly;
    input.dataset.focus = id;
    const problem = element('p', { class: 'problem small', id: `${id}-problem` });
    const hintId = `${id}-hint`;
    input.setAttribute('aria-describedby', hint === undefined ? problem.id : `${hintId} ${problem.id}`);
    placed.push({ pointer, input, problem });
    const isCheck = input instanceof HTMLInputElement && input.type === 'checkbox';
    const name = element('label', { for: id }, label);
    return element(
      'div',
      { class: isCheck ? 'setting setting-check' : 'setting' },
      ...(isCheck
        ? [input, name]
        : [name, unit === undefined ? input : element('span', { class: 'with-unit' }, input, ` ${unit}`)]),
      hint === undefined ? null : element('p', { class: 'quiet small', id: hintId }, hint),
      problem,
    );
  }

  /** The field that stands at the problem's place, or nearest above it. */
  function fieldOf({ path }: SettingsProblem): Placed | undefined {
    return placed
      .filter(({ pointer }) => path === pointer || path.startsWith(`${pointer}/`))
      .sort((one, other) => other.pointer.length - one.pointer.length)[0];
  }

  return {
    text(path, text) {
      const input = element('input', {
        type: 'text',
        spellcheck: 'false',
        autocomplete: 'off',
        placeholder: text.placeholder ?? null,
      });
      input.value = asText(editor.value(path));
      input.addEventListener('input', () => editor.set(path, input.value === '' ? undefined : input.value));
      return field(path, text, input);
    },
    lines(path, text) {
      const input = element('textarea', {
        rows: text.rows ?? 3,
        spellcheck: 'false',
        placeholder: text.placeholder ?? null,
      });
      const value = editor.value(path);
      input.value = Array.isArray(value) ? value.map(asText).join('\n') : '';
      input.addEventListener('input', () => {
        const lines = input.value
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== '');
        editor.set(path, lines.length === 0 && text.required !== true ? undefined : lines);
      });
      return field(path, text, input);
    },
    number(path, text) {
      const { min = null, max = null, step = '1' } = text;
      const input = element('input', {
        type: 'number',
        inputmode: 'decimal',
        min,
        max,
        step,
        placeholder: text.placeholder ?? null,
      });
      input.value = asText(editor.value(path));
      // What is no number is passed on as it is: the collector says what is wrong with it.
      input.addEventListener('input', () =>
        editor.set(
          path,
          input.validity.badInput ? 'not a number' : input.value === '' ? undefined : Number(input.value),
        ),
      );
      return field(path, text, input);
    },
    check(path, text) {
      const input = element('input', { type: 'checkbox' });
      input.checked = editor.value(path) === true;
      input.addEventListener('change', () => editor.set(path, input.checked));
      return field(path, text, input);
    },
    choice(path, text) {
      const value = asText(editor.value(path));
      const known = text.options.some(([option]) => option === value);
      const input = element(
        'select',
        {},
        ...[...(known ? [] : [[value, value] as const]), ...text.options].map(([option, label]) =>
          element('option', { value: option, selected: option === value }, label),
        ),
      );
      input.addEventListener('change', () => editor.set(path, choiceValue(input.value)));
      return field(path, text, input);
    },
    show(problems) {
      for (const { problem, input } of placed) {
        problem.textContent = '';
        input.removeAttribute('aria-invalid');
      }
      for (const one of problems) {
        const at = fieldOf(one);
        if (at === undefined) continue;
        at.input.setAttribute('aria-invalid', 'true');
        at.problem.textContent = [at.problem.textContent, `${capital(one.message)}. ${one.hint}`]
          .filter((text) => text)
          .join(' ');
      }
    },
    unplaced: (problems) => problems.filter((problem) => fieldOf(problem) === undefined),
    focusFirst(problems) {
      const at = problems.map(fieldOf).find((found) => found !== undefined);
      at?.input.closest('details')?.setAttribute('open', '');
      at?.input.focus();
      return at !== undefined;
    },
  };
}

/** `''` takes the setting away; `true` and `false` are no words. */
function choiceValue(value: string): Json | undefined {
  if (value === '') return undefined;
  return value === 'true' || value === 'false' ? value === 'true' : value;
}

function asText(value: Json | undefined): string {
  return value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
