import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../text/t.ts';

export interface DialogAction {
  readonly label: string;
  readonly kind?: 'primary' | 'danger';
  /** Resolves with true to close the dialog; its error is shown there. */
  act(): Promise<boolean>;
}

export interface DialogProps {
  readonly title: string;
  readonly actions?: readonly DialogAction[];
  /** Label of the button that only closes. */
  readonly cancel?: string;
  /** For tables. */
  readonly wide?: boolean;
  /** The dialog is closed: stop rendering it. */
  onClose(): void;
  readonly children: ComponentChildren;
}

/** A modal dialog while it is rendered. The browser keeps the focus in it and restores it; Escape closes it. */
export function Dialog({
  title,
  actions = [],
  cancel = t.components.cancel,
  wide = false,
  onClose,
  children,
}: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  useLayoutEffect(() => ref.current?.showModal(), []);
  // Again when the content changes, and when the buttons are re-enabled: while disabled they lose the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the title changes with the content
  useLayoutEffect(() => {
    if (!busy) ref.current?.querySelector<HTMLElement>('.dialog-body input, .dialog-actions button')?.focus();
  }, [title, busy]);
  const run = async (act: DialogAction['act']) => {
    setBusy(true);
    setProblem('');
    try {
      if (await act()) ref.current?.close();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  const primary = actions.find(({ kind }) => kind === 'primary');
  return (
    <dialog ref={ref} class={wide ? 'dialog wide' : 'dialog'} aria-labelledby="dialog-title" onClose={onClose}>
      {/* Enter in a field does what the primary button does. */}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (primary !== undefined && !busy) void run(primary.act);
        }}
      >
        <h2 id="dialog-title" tabindex={-1}>
          {title}
        </h2>
        <section class="dialog-body" tabindex={0} aria-labelledby="dialog-title">
          {children}
        </section>
        <p class="problem" role="alert">
          {problem}
        </p>
        <p class="actions dialog-actions">
          {actions.map(({ label, kind, act }) => (
            <button
              key={label}
              type={kind === 'primary' ? 'submit' : 'button'}
              class={kind}
              disabled={busy}
              {...(kind === 'primary' ? {} : { onClick: () => run(act) })}
            >
              {label}
            </button>
          ))}
          <button type="button" onClick={() => ref.current?.close()}>
            {cancel}
          </button>
        </p>
      </form>
    </dialog>
  );
}
