import { describeError } from '../api/describe-error.ts';
import { button, element } from '../render/element.ts';

export interface ActionLine {
  readonly label: string;
  /** Stable, for the focus and for the name in a list of many such buttons. */
  readonly focus: string;
  /** Said to screen readers in place of the label, which many buttons may share. */
  readonly name: string;
  /** While it runs. */
  readonly doing: string;
  /** Why it cannot be done now; null where it can. */
  unready(): string | null;
  /** Resolves with what came of it. What it throws is shown as well. */
  act(): Promise<{ readonly text: string; readonly good: boolean }>;
}

/** A button that has the server do something now, and beside it what came of it. */
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
