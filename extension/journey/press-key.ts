import type { Step } from '../../shared/journeys/recording.ts';
import { StepBroke } from '../../shared/journeys/replay.ts';

const NAMED =
  /^(Enter|Tab|Escape|Backspace|Delete|Home|End|PageUp|PageDown|Arrow(Up|Down|Left|Right)|Shift|Control|Alt|AltGraph|Meta|CapsLock|Insert|F\d\d?)$/;
const BUTTON = 'button[type="submit"], button:not([type]), input[type="submit"], input[type="image"]';

/**
 * Prepares a key for the element that has the focus; what it returns presses it, and is true if the page has seen to it. Events of a
 * script have no effect by themselves, so the usual ones of Enter and the space bar are added.
 * https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#implicit-submission
 */
export function pressKey({ type, key }: Step<'keyDown' | 'keyUp'>): () => boolean {
  if (key.length > 1 && !NAMED.test(key)) throw new StepBroke('unknown_key', key);
  return () => {
    const element = focused();
    const event = type === 'keyDown' ? 'keydown' : 'keyup';
    const code = /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key === ' ' ? 'Space' : key;
    const init = { key, code, bubbles: true, cancelable: true, composed: true };
    if (!element.dispatchEvent(new KeyboardEvent(event, init))) return true;
    if (type === 'keyDown' && key === 'Enter') return enter(element);
    if (
      type === 'keyUp' &&
      key === ' ' &&
      element.matches('button, summary, input[type="checkbox"], input[type="radio"]')
    ) {
      element.click();
      return true;
    }
    return false;
  };
}

function focused(): HTMLElement {
  let element = document.activeElement ?? document.body;
  while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element as HTMLElement;
}

function enter(element: HTMLElement): boolean {
  if (element.matches('a[href], button, summary')) element.click();
  else if (element instanceof HTMLInputElement && element.form !== null) {
    const [button] = [...element.form.elements].filter((each) => each.matches(BUTTON)) as HTMLButtonElement[];
    if (button === undefined) element.form.requestSubmit();
    else if (!button.disabled) button.click();
  } else return false;
  return true;
}
