import { button, type Child, element } from '../render/element.ts';

export interface DialogAction {
  readonly label: string;
  readonly kind?: 'primary' | 'danger';
  /** Resolves with true to close the dialog; errors are shown in it. */
  act(dialog: Dialog): Promise<boolean>;
}

export interface Dialog {
  readonly element: HTMLDialogElement;
  fill(title: string, content: readonly Child[], actions: readonly DialogAction[], cancel?: string): void;
  problem(text: string): void;
  close(): void;
}

/** A modal dialog. The browser keeps the focus in it and restores it; Escape closes it. */
export function openDialog(): Dialog {
  const made = element('dialog', { class: 'dialog', 'aria-labelledby': 'dialog-title' });
  document.body.append(made);
  made.addEventListener('close', () => made.remove());
  const dialog: Dialog = {
    element: made,
    fill(title, content, actions, cancel = 'Cancel') {
      const problem = element('p', { class: 'problem', role: 'alert' });
      const buttons = actions.map(({ label, kind, act }) => {
        const action: HTMLButtonElement = button(
          { class: kind ?? null },
          async () => {
            for (const other of buttons) other.disabled = true;
            problem.textContent = '';
            try {
              if (await act(dialog)) made.close();
            } catch (error) {
              problem.textContent = error instanceof Error ? error.message : String(error);
            } finally {
              for (const other of buttons) other.disabled = false;
            }
          },
          label,
        );
        return action;
      });
      made.replaceChildren(
        element('h2', { id: 'dialog-title', tabindex: -1 }, title),
        element(
          'div',
          { class: 'dialog-body', tabindex: 0, role: 'region', 'aria-labelledby': 'dialog-title' },
          ...content,
        ),
        problem,
        element(
          'p',
          { class: 'actions dialog-actions' },
          ...buttons,
          button({}, () => made.close(), cancel),
        ),
      );
      if (!made.open) made.showModal();
      (buttons[0] ?? made.querySelector<HTMLElement>('.dialog-actions button'))?.focus();
    },
    problem(text) {
      const problem = made.querySelector('.problem');
      if (problem !== null) problem.textContent = text;
    },
    close: () => made.close(),
  };
  return dialog;
}
