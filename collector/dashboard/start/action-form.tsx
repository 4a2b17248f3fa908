import type { ComponentChildren, FormHTMLAttributes, InputHTMLAttributes } from 'preact';
import { useState } from 'preact/hooks';
import { describeError } from '../api/describe-error.ts';
import { Spoken } from '../components/spoken.tsx';

interface ActionFormProps extends Pick<FormHTMLAttributes<HTMLFormElement>, 'onInput'> {
  readonly button: string;
  /** While it acts. */
  readonly busyButton?: string;
  readonly isNext?: boolean;
  readonly children?: ComponentChildren;
  act(): Promise<void>;
}

/** Fields and the button that does something at the collector, or why it failed. */
export function ActionForm({ button, busyButton, isNext = false, children, act, ...rest }: ActionFormProps) {
  const [{ isBusy, problem }, setState] = useState({ isBusy: false, problem: '' });
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    setState({ isBusy: true, problem: '' });
    const failed = await act().then(() => '', describeError);
    setState({ isBusy: false, problem: failed });
  }
  return (
    <form class="key-form" onSubmit={submit} {...rest}>
      {children}
      {/* If it were disabled, it would lose the focus. */}
      <button type="submit" class={isNext ? 'primary' : ''} aria-disabled={isBusy}>
        {(isBusy && busyButton) || button}
      </button>
      <Spoken role="status">{isBusy ? busyButton : null}</Spoken>
      <p class="problem" role="alert">
        {problem}
      </p>
    </form>
  );
}

interface FieldProps
  extends Pick<InputHTMLAttributes<HTMLInputElement>, 'required' | 'placeholder' | 'maxlength' | 'min' | 'max'> {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly type?: 'number';
  set(value: string): void;
}

export function Field({ id, label, set, ...rest }: FieldProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...rest}
        id={id}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => set(event.currentTarget.value)}
      />
    </div>
  );
}
