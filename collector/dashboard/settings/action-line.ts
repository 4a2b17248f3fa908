import { describeError } from '../api/describe-error.ts';
import { button, element } from '../render/element.ts';

export interface ActionLine {
  readonly label: string;
  /** Stable `data-focus` of the button. */
  readonly focus: string;
  /** Accessible name, because several buttons may share a label. */
  readonly name: string;
  /** Shown while it runs. */
  readonly doing: string;
  /** Why the action is not possible now; null if it is. */
  unready(): string | null;
  /** Resolves with the result; errors are shown too. */
  act(): Promise<{ readonly text: string; readonly good: boolean }>;
}

/** A button for an action of the server, with the result beside it. */
export function actionLine({ label, focus, name, doing, unready, act }: ActionLine): HTMLElement {
  const result = element('span', { class: 'quiet small', role: 'status' });
  const say = (text: string, kind: 'quiet' | 'problem' | 'good') => {
    result.className = `${kind} small`;
    result.textContent = text;
  };
  let busy = false;
  async function run(): Promise<void> {
    if (busy) return;
    const reason = unready();
    if (reason !== null) return say(reason, 'problem');
    busy = true;
    say(doing, 'quiet');
    try {
      const { text, good } = await act();
      say(text, good ? 'good' : 'problem');
    } catch (error) {
      say(describeError(error), 'problem');
    } finally {
      busy = false;
    }
  }
  return element(
    'p',
    { class: 'actions action-line' },
    button({ 'data-focus': focus, 'aria-label': name }, () => void run(), label),
    result,
  );
}
