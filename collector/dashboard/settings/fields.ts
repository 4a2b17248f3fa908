import type { Json } from '../model/settings-diff.ts';
import { pointerOf, type SettingsPath } from '../model/settings-path.ts';
import { element } from '../render/element.ts';
import type { Editor } from './editor.ts';
import { createPlacedProblems, type PlacedProblems } from './placed-problems.ts';

export interface FieldText {
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly unit?: string;
}

/** Fields bound to the draft. Each shows its own errors; `unplaced` returns the others. */
export interface Fields extends Pick<PlacedProblems, 'show' | 'unplaced' | 'focusFirst'> {
  text(path: SettingsPath, text: FieldText): HTMLElement;
  /** A list of texts, one per line. */
  lines(path: SettingsPath, text: FieldText & { readonly rows?: number; readonly required?: boolean }): HTMLElement;
  number(
    path: SettingsPath,
    text: FieldText & { readonly min?: number; readonly max?: number; readonly step?: string },
  ): HTMLElement;
  check(path: SettingsPath, text: FieldText): HTMLElement;
  choice(path: SettingsPath, text: FieldText & { readonly options: Options }): HTMLElement;
  /** A choice that changes the shape of the settings at `path`; `choose` writes them. */
  pick(path: SettingsPath, text: PickText): HTMLElement;
  /** Any number of options; none removes the setting. */
  several(path: SettingsPath, text: FieldText & { readonly options: Options }): HTMLElement;
}

type Options = readonly (readonly [value: string, label: string])[];
interface PickText extends FieldText {
  readonly options: Options;
  readonly value: string;
  choose(value: string): void;
}

export function createFields(editor: Editor, readOnly: boolean): Fields {
  const placed = createPlacedProblems();

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
    placed.add({ pointer, input, problem });
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

  function select({ options, value }: Pick<PickText, 'options' | 'value'>, choose: (value: string) => void) {
    const known = options.some(([option]) => option === value);
    const input = element(
      'select',
      {},
      ...[...(known ? [] : [[value, value] as const]), ...options].map(([option, label]) =>
        element('option', { value: option, selected: option === value }, label),
      ),
    );
    input.addEventListener('change', () => choose(input.value));
    return input;
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
      // Invalid input is kept in the draft, so that the collector reports it.
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
      const chosen = { options: text.options, value: asText(editor.value(path)) };
      return field(
        path,
        text,
        select(chosen, (value) => editor.set(path, choiceValue(value))),
      );
    },
    pick: (path, text) => field(path, text, select(text, text.choose)),
    several(path, { label, hint, options }) {
      const pointer = pointerOf(path);
      const id = `setting${pointer.replaceAll(/[^\w-]/g, '-')}`;
      const value = editor.value(path);
      const chosen = new Set(Array.isArray(value) ? value.map(asText) : []);
      const problem = element('p', { class: 'problem small', id: `${id}-problem` });
      // A selected value that is no longer offered can still be removed.
      const offered = [
        ...options,
        ...[...chosen].filter((one) => !options.some(([name]) => name === one)).map((one) => [one, one] as const),
      ];
      const group = element(
        'fieldset',
        { class: 'setting several', 'aria-describedby': problem.id, disabled: readOnly },
        element('legend', {}, label),
        ...offered.map(([name, words], i) => {
          const input = element('input', { type: 'checkbox', id: `${id}-${i}`, 'data-focus': `${id} ${name}` });
          input.checked = chosen.has(name);
          input.addEventListener('change', () => {
            if (input.checked) chosen.add(name);
            else chosen.delete(name);
            const words = offered.map(([one]) => one).filter((one) => chosen.has(one));
            editor.set(path, words.length === 0 ? undefined : words);
          });
          return element('span', { class: 'several-one' }, input, element('label', { for: input.id }, words));
        }),
        hint === undefined ? null : element('p', { class: 'quiet small' }, hint),
        problem,
      );
      placed.add({ pointer, input: group, problem });
      return group;
    },
    show: placed.show,
    unplaced: placed.unplaced,
    focusFirst: placed.focusFirst,
  };
}

/** `''` removes the setting; `true` and `false` are booleans. */
function choiceValue(value: string): Json | undefined {
  if (value === '') return undefined;
  return value === 'true' || value === 'false' ? value === 'true' : value;
}

function asText(value: Json | undefined): string {
  return value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
}
