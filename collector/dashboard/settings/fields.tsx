import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { DocumentProblem } from '../../../shared/vocabulary/document-problem.ts';
import { sentence } from '../api/describe-error.ts';
import { Select } from '../components/select.tsx';
import { isSame, type Json } from '../model/settings-diff.ts';
import { type SettingsPath, toPointer } from '../model/settings-path.ts';
import { type FieldText, texts } from '../text/settings.ts';
import { useEditor, useSetting } from './editor.ts';

type Option = readonly [value: string, label: string];
/** Labels by value, or values with their labels; a plain string is both. */
export type Options = Readonly<Record<string, string>> | readonly (string | Option)[];

/** A number as people type it, with a decimal point or comma. Groups of three digits as in 1.000 would be ambiguous. */
const NUMBER = /^[+-]?(?:\d+|\d*[.,]\d+)$/;
const GROUPED = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;

interface FieldProps {
  /** As in `useSetting`. */
  readonly name?: string;
  /** Instead of the texts of this setting in the catalog. */
  readonly text?: FieldText;
  readonly placeholder?: string | number;
  /** Distinguishes the id from that of another field with this name. */
  readonly idSuffix?: string;
  /** The hint, if the catalog has none. */
  readonly children?: string;
}

/** What the catalog says of the setting at this path, wherever it is in its lists. Throws for one without texts. */
export function fieldText(path: SettingsPath): FieldText {
  const name = path.filter((step) => typeof step === 'string').join('/');
  const text = (texts.fields as Readonly<Record<string, FieldText>>)[name];
  if (text === undefined) throw new Error(`texts.fields has no ${name}.`);
  return text;
}

/** An error in the reader's language; in the collector's words if it has a code that this page does not know. */
export function problemText({ code, values, message, hint }: DocumentProblem): string {
  return texts.problems[code]?.(values ?? {}) ?? `${sentence(message)} ${hint}`;
}

/** A setting with its errors, and what every input for it has in common. */
function useField({ name, text, children, placeholder, idSuffix = '' }: FieldProps) {
  const editor = useEditor();
  const { path, value, set } = useSetting(name);
  const { label, unit, hint = children } = text ?? fieldText(path);
  const pointer = toPointer(path);
  const id = `setting${pointer.replaceAll(/[^\w-]/g, '-')}${idSuffix}`;
  useLayoutEffect(() => editor.addField(id, pointer), [editor, id, pointer]);
  const problem = (editor.placed.value.get(id) ?? []).map(problemText).join(' ');
  const input = {
    id,
    placeholder: placeholder === undefined ? undefined : String(placeholder),
    disabled: editor.readOnly,
    onBlur: () => editor.leave(pointer),
    'aria-describedby': hint === undefined ? `${id}-problem` : `${id}-hint ${id}-problem`,
    'aria-invalid': problem === '' ? undefined : true,
  };
  return { id, label, unit, hint, value, set, problem, input };
}

interface SettingProps {
  readonly field: ReturnType<typeof useField>;
  readonly check?: boolean;
  readonly children: ComponentChildren;
}

function Setting({ field, check = false, children }: SettingProps) {
  const { id, label, unit } = field;
  const withUnit = (
    <span class="with-unit">
      {children} {unit}
    </span>
  );
  const input = unit === undefined ? children : withUnit;
  return (
    <div class={check ? 'setting setting-check' : 'setting'}>
      {check ? input : null}
      <label for={id}>{label}</label>
      {check ? null : input}
      <HintAndProblem {...field} />
    </div>
  );
}

function HintAndProblem({ id, hint, problem }: ReturnType<typeof useField>) {
  return (
    <>
      {hint === undefined ? null : (
        <p class="quiet small" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <p class="problem small" id={`${id}-problem`}>
        {problem}
      </p>
    </>
  );
}

interface TextFieldProps extends FieldProps {
  /** Instead of setting the text: where other settings change too. */
  change?(text: string): void;
}

export function TextField(props: TextFieldProps) {
  const field = useField(props);
  const { change = (text) => field.set(text || undefined) } = props;
  return (
    <Setting field={field}>
      <input
        {...field.input}
        type="text"
        spellcheck={false}
        autocomplete="off"
        value={textFor(field.value)}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    </Setting>
  );
}

interface FileFieldProps extends FieldProps {
  readonly accept: string;
  /** The setting in a file, null if it has none, and what there is to say of it. */
  read(file: File): Promise<{ readonly value: Json | null; readonly note: string }>;
}

/** A setting that is chosen as a file. */
export function FileField({ accept, read, ...props }: FileFieldProps) {
  const field = useField(props);
  const [note, setNote] = useState('');
  const choose = async (file: File | undefined) => {
    if (file === undefined) return;
    const { value, note } = await read(file);
    if (value !== null) field.set(value);
    setNote(note);
  };
  return (
    <Setting field={field}>
      <input
        {...field.input}
        type="file"
        accept={accept}
        onChange={({ currentTarget }) => choose(currentTarget.files?.[0])}
      />
      <p class="small file-note" role="status">
        {note}
      </p>
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
    <Setting field={field}>
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

export function NumberField(props: FieldProps) {
  const field = useField(props);
  const { value, set } = field;
  // A number can be typed in several ways: 1.0 on the way to 1.05.
  const [typed, setTyped] = useState('');
  return (
    <Setting field={field}>
      <input
        {...field.input}
        type="text"
        inputmode="decimal"
        autocomplete="off"
        value={typed !== '' && typedNumber(typed) === value ? typed : numberFor(value)}
        onInput={({ currentTarget: { value: text } }) => {
          setTyped(text);
          set(text.trim() === '' ? undefined : typedNumber(text));
        }}
      />
    </Setting>
  );
}

/** The number that was typed; text that is none stays as it is, so that it is shown and reported. */
export function typedNumber(text: string): number | string {
  const trimmed = text.trim();
  return NUMBER.test(trimmed) && !GROUPED.test(trimmed) ? Number(trimmed.replace(',', '.')) : text;
}

function numberFor(value: Json | undefined): string {
  return typeof value === 'number' ? String(value).replace('.', texts.decimalMark) : textFor(value);
}

export function CheckField(props: FieldProps) {
  const field = useField(props);
  const change = (event: { currentTarget: HTMLInputElement }) => field.set(event.currentTarget.checked);
  return (
    <Setting field={field} check>
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
    <Setting field={field}>
      <Select {...field.input} value={value} options={[...(known ? [] : pairsOf([value])), ...pairs]} choose={choose} />
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
  const { id, label, value, set, problem, input } = field;
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
      onFocusOut={input.onBlur}
      class={`setting several${invalid}`}
    >
      <legend>{label}</legend>
      {offered.map(([name, words], i) => (
        <span key={name} class="several-one">
          <input type="checkbox" id={`${id}-${i}`} checked={chosen.includes(name)} onChange={() => toggle(name)} />
          <label for={`${id}-${i}`}>{words}</label>
        </span>
      ))}
      <HintAndProblem {...field} />
    </fieldset>
  );
}

function textFor(value: Json | undefined): string {
  return value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
}
