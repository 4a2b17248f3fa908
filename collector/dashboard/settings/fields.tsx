import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isSame, type Json } from '../model/settings-diff.ts';
import { pointerOf } from '../model/settings-path.ts';
import { useEditor, useSetting } from './editor.ts';

type Option = readonly [value: string, label: string];
/** Labels by value, or values with their labels; a plain string is both. */
export type Options = Readonly<Record<string, string>> | readonly (string | Option)[];

interface FieldProps {
  /** As in `useSetting`. */
  readonly name?: string;
  readonly label: string;
  readonly unit?: string;
  readonly placeholder?: string | number;
  /** Distinguishes the id from that of another field with this name. */
  readonly idSuffix?: string;
  /** A hint. */
  readonly children?: string;
}

/** A setting with its errors, and what every input for it has in common. */
function useField({ name, children: hint, placeholder, idSuffix = '' }: FieldProps) {
  const editor = useEditor();
  const { path, value, set } = useSetting(name);
  const pointer = pointerOf(path);
  const id = `setting${pointer.replaceAll(/[^\w-]/g, '-')}${idSuffix}`;
  useLayoutEffect(() => editor.addField(id, pointer), [editor, id, pointer]);
  const problem = (editor.placed.value.get(id) ?? [])
    .map(({ message, hint }) => `${message.charAt(0).toUpperCase()}${message.slice(1)}. ${hint}`)
    .join(' ');
  const input = {
    id,
    placeholder: placeholder === undefined ? undefined : String(placeholder),
    disabled: editor.readOnly,
    'aria-describedby': hint === undefined ? `${id}-problem` : `${id}-hint ${id}-problem`,
    'aria-invalid': problem === '' ? undefined : true,
  };
  return { id, value, set, problem, input };
}

interface SettingProps {
  readonly props: FieldProps;
  readonly field: ReturnType<typeof useField>;
  readonly check?: boolean;
  readonly children: ComponentChildren;
}

function Setting({ props: { label, unit, children: hint }, field, check = false, children }: SettingProps) {
  const withUnit = (
    <span class="with-unit">
      {children} {unit}
    </span>
  );
  const input = unit === undefined ? children : withUnit;
  return (
    <div class={check ? 'setting setting-check' : 'setting'}>
      {check ? input : null}
      <label for={field.id}>{label}</label>
      {check ? null : input}
      <HintAndProblem field={field} hint={hint} />
    </div>
  );
}

function HintAndProblem({ field, hint }: { field: ReturnType<typeof useField>; hint: string | undefined }) {
  return (
    <>
      {hint === undefined ? null : (
        <p class="quiet small" id={`${field.id}-hint`}>
          {hint}
        </p>
      )}
      <p class="problem small" id={`${field.id}-problem`}>
        {field.problem}
      </p>
    </>
  );
}

export function TextField(props: FieldProps) {
  const field = useField(props);
  return (
    <Setting props={props} field={field}>
      <input
        {...field.input}
        type="text"
        spellcheck={false}
        autocomplete="off"
        value={textFor(field.value)}
        onInput={({ currentTarget }) => field.set(currentTarget.value || undefined)}
      />
    </Setting>
  );
}

/** A list of texts, one per line. A required one stays in the settings when it is empty. */
export function LinesField(props: FieldProps & { readonly rows?: number; readonly required?: boolean }) {
  const { rows = 3, required = false } = props;
  const field = useField(props);
  const lines = Array.isArray(field.value) ? field.value.map(textFor) : [];
  // The draft omits the empty lines and spaces of text that is still being typed.
  const [typed, setTyped] = useState('');
  return (
    <Setting props={props} field={field}>
      <textarea
        {...field.input}
        rows={rows}
        spellcheck={false}
        value={isSame(linesOf(typed), lines) ? typed : lines.join('\n')}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value);
          field.set(linesOf(value).length === 0 && !required ? undefined : linesOf(value));
        }}
      />
    </Setting>
  );
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Stands in for invalid input in the draft, so that the collector reports it. */
const NOT_A_NUMBER = 'not a number';

interface NumberProps extends FieldProps {
  readonly range?: readonly [min: number, max?: number];
  readonly step?: string;
}

export function NumberField(props: NumberProps) {
  const { range: [min, max] = [], step = '1' } = props;
  const field = useField(props);
  const { value } = field;
  // A number can be typed in several ways: 1.0 on the way to 1.05.
  const [typed, setTyped] = useState('');
  const ref = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    // The value of an input with invalid text is '' already, so rendering '' does not clear it.
    if (value === undefined && ref.current?.validity.badInput === true) ref.current.value = '';
  }, [value]);
  return (
    <Setting props={props} field={field}>
      <input
        {...field.input}
        {...{ ref, min, max, step }}
        type="number"
        inputmode="decimal"
        value={value === NOT_A_NUMBER ? '' : typed !== '' && Number(typed) === value ? typed : textFor(value)}
        onInput={({ currentTarget: { value, validity } }) => {
          setTyped(value);
          field.set(validity.badInput ? NOT_A_NUMBER : value === '' ? undefined : Number(value));
        }}
      />
    </Setting>
  );
}

export function CheckField(props: FieldProps) {
  const field = useField(props);
  const change = (event: { currentTarget: HTMLInputElement }) => field.set(event.currentTarget.checked);
  return (
    <Setting props={props} field={field} check>
      <input {...field.input} type="checkbox" checked={field.value === true} onChange={change} />
    </Setting>
  );
}

interface SelectProps extends FieldProps {
  readonly options: Options;
  /** With `choose`: a choice that changes the shape of a part of the settings. */
  readonly value?: string;
  choose?(value: string): void;
}

/** A choice; `''` removes the setting. */
export function SelectField(props: SelectProps) {
  const field = useField(props);
  const { options, value = textFor(field.value), choose = (next) => field.set(choiceOf(next)) } = props;
  const pairs = pairsOf(options);
  const known = pairs.some(([option]) => option === value);
  return (
    <Setting props={props} field={field}>
      <select {...field.input} value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {[...(known ? [] : pairsOf([value])), ...pairs].map(([option, label]) => (
          <option key={option} value={option}>
            {label}
          </option>
        ))}
      </select>
    </Setting>
  );
}

function pairsOf(options: Options): readonly Option[] {
  const list = Array.isArray(options) ? options : Object.entries(options);
  return list.map((option: string | Option) => (typeof option === 'string' ? [option, option] : option));
}

function choiceOf(value: string): Json | undefined {
  if (value === '') return undefined;
  return value === 'true' || value === 'false' ? value === 'true' : value;
}

/** Any number of options; selecting none removes the setting. */
export function SeveralField(props: FieldProps & { readonly options: Options }) {
  const field = useField(props);
  const { id, value, set, problem, input } = field;
  const chosen = Array.isArray(value) ? value.map(textFor) : [];
  const options = pairsOf(props.options);
  // A selected value that is no longer offered can still be removed.
  const gone = chosen.filter((one) => !options.some(([name]) => name === one));
  const offered = [...options, ...pairsOf(gone)];
  const toggle = (name: string) => {
    const next = offered.map(([one]) => one).filter((one) => (one === name) !== chosen.includes(one));
    set(next.length === 0 ? undefined : next);
  };
  const invalid = problem === '' ? '' : ' invalid';
  return (
    // A fieldset cannot have aria-invalid; it has the error as its description.
    <fieldset
      {...{ id, disabled: input.disabled, 'aria-describedby': input['aria-describedby'] }}
      class={`setting several${invalid}`}
    >
      <legend>{props.label}</legend>
      {offered.map(([name, label], i) => (
        <span key={name} class="several-one">
          <input type="checkbox" id={`${id}-${i}`} checked={chosen.includes(name)} onChange={() => toggle(name)} />
          <label for={`${id}-${i}`}>{label}</label>
        </span>
      ))}
      <HintAndProblem field={field} hint={props.children} />
    </fieldset>
  );
}

function textFor(value: Json | undefined): string {
  return value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
}
