import type { ComponentChildren, FormHTMLAttributes, InputHTMLAttributes } from 'preact';
import { useState } from 'preact/hooks';
import { describeError } from '../api/describe-error.ts';

interface ActionFormProps extends Pick<FormHTMLAttributes<HTMLFormElement>, 'onInput'> {
  readonly button: string;
  /** While it acts. */
  readonly busyButton?: string;
  readonly isNext?: boolean;
  readonly children?: ComponentChildren;
  act(): Promise<void>;
}

/** Fields and the button that does something at the collector, or why it failed. */
export function ActionForm({ button, busyButton = button, isNext = false, children, act, ...rest }: ActionFormProps) {
  const [{ isBusy, problem }, setState] = useState({ isBusy: false, problem: '' });
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    setState({ isBusy: true, problem: '' });
    const failed = await act().then(() => '', describeError);
    setState({ isBusy: false, problem: failed });
  }
  return (
    <form class="key-form" aria-busy={isBusy} onSubmit={submit} {...rest}>
      {children}
      <button type="submit" class={isNext ? 'primary' : ''} disabled={isBusy}>
        {isBusy ? busyButton : button}
      </button>
      <p class="problem" role="alert">
        {problem}
      </p>
    </form>
  );
}

interface FieldProps extends Pick<InputHTMLAttributes<HTMLInputElement>, 'required' | 'placeholder' | 'maxlength'> {
  readonly id: string;
  readonly label: string;
  readonly value: string;
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
