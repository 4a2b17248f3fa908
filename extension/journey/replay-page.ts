/**
 * Runs in the pages that a robot replays a journey in: finds what a step needs, and acts on it with events of its own, which a page can
 * tell from a user's. It knows nothing of the journey but the step it is given.
 */
import type { ElementStep, Step } from '../../shared/journeys/recording.ts';
import { obstacle, StepBroke } from '../../shared/journeys/replay.ts';
import type { BreakReason } from '../../shared/vocabulary/break-reasons.ts';
import { platform } from '../platform.ts';
import { originNow } from '../wall-origin.ts';
import { findInPage } from './find-in-page.ts';
import { hasState, lookAt, setValue, surveyPage } from './in-page.mjs';
import { pressKey } from './press-key.ts';

/** `at` is the moment of the event, epoch ms; null for a step without one. */
export type PageAnswer =
  | { readonly at: number | null; readonly isPassword: boolean }
  | { readonly reason: BreakReason; readonly detail: string | null };

type ActingStep = Exclude<Step, Step<'navigate' | 'setViewport'>>;

const BUTTONS = { primary: 0, auxiliary: 1, secondary: 2, back: 3, forward: 4 };
const COMPARE = {
  '>=': (n: number, count: number) => n >= count,
  '==': (n: number, count: number) => n === count,
  '<=': (n: number, count: number) => n <= count,
};

/** Whether anything in this document has changed since the last event; null before the first. */
let reacted: boolean | null = null;
const changes = new MutationObserver(() => {
  reacted = true;
});

/**
 * Acts if the page is ready for the step, and says what is in the way otherwise; `text` is what a `change` types. The event follows
 * the answer, since it may end this document, and then nobody could tell whether it had happened.
 */
function attempt(step: ActingStep, text: string): PageAnswer {
  try {
    const { act, isPassword = false } = prepare(step, text);
    if (act === null) return { at: null, isPassword };
    const at = originNow() + performance.now();
    setTimeout(() => {
      reacted = false;
      observe(document);
      if (act()) reacted = true;
    });
    return { at, isPassword };
  } catch (error) {
    if (!(error instanceof StepBroke)) throw error;
    return { reason: error.reason, detail: error.detail };
  }
}

/** `act` returns true if the page has seen to the event. */
function prepare(step: ActingStep, text: string): { act: (() => boolean) | null; isPassword?: boolean } {
  switch (step.type) {
    case 'click':
    case 'doubleClick': {
      const { element, x, y } = ready(step);
      if (element instanceof HTMLInputElement && element.type === 'file') throw new StepBroke('file_chooser');
      const init = { ...pointAt(element, x, y), button: BUTTONS[step.button ?? 'primary'] };
      return { act: () => click(element, init, step.type === 'click' ? 1 : 2) };
    }
    case 'hover': {
      const { element, x, y } = ready(step);
      return { act: () => dispatch(element, HOVER, pointAt(element, x, y)) };
    }
    case 'change': {
      const { element, control, isPassword } = ready(step);
      if (control === 'checkbox' || control === 'radio') return { act: null };
      const options = [...((element as Partial<HTMLSelectElement>).options ?? [])];
      const isOffered = options.some(({ value, text: label }) => value === text || label.trim() === text);
      if (control === 'select' && !isOffered) throw new StepBroke('no_such_option');
      return { act: () => type(element as HTMLElement, text), isPassword };
    }
    case 'keyDown':
    case 'keyUp':
      return { act: pressKey(step) };
    case 'scroll': {
      const [element] = step.selectors === undefined ? [document.documentElement] : findInPage(step.selectors);
      if (element === undefined) throw new StepBroke('element_not_found');
      const { x = 0, y = 0 } = step;
      const scroll = () => {
        element.scrollTo({ left: x, top: y, behavior: 'instant' });
        return true;
      };
      return { act: scroll };
    }
    case 'waitForElement':
      wait(step);
      return { act: () => true };
  }
}

function ready(step: ElementStep & { readonly offsetX?: number; readonly offsetY?: number }) {
  const { offsetX, offsetY } = step;
  const offset = offsetX === undefined || offsetY === undefined ? null : { x: offsetX, y: offsetY };
  let inTheWay = new StepBroke('element_not_found');
  for (const element of findInPage(step.selectors)) {
    const state = lookAt(element, offset);
    const reason = obstacle(step, state);
    if (reason !== null) inTheWay = reason;
    else if (!state.moving) return { element, ...state };
  }
  throw inTheWay;
}

/** Throws until the page has what the step waits for. */
function wait(step: Step<'waitForElement'>): void {
  const { operator = '>=', count = 1, visible = true, properties = {}, attributes = {} } = step;
  const found = findInPage(step.selectors);
  const matches = (element: Element) => hasState(element, properties, attributes) && lookAt(element, null).visible;
  if ((COMPARE[operator](found.length, count) && found.every(matches)) === visible) return;
  const isMissing = found.length === 0 && visible && operator !== '<=';
  throw isMissing ? new StepBroke('element_not_found') : new StepBroke('condition_not_met', `${found.length} found`);
}

const HOVER = ['pointerover', 'mouseover', 'pointermove', 'mousemove'];

function pointAt(element: Element, x: number, y: number): MouseEventInit {
  const box = element.getClientRects()[0] ?? { left: 0, top: 0 };
  return { clientX: box.left + x, clientY: box.top + y, bubbles: true, cancelable: true, composed: true, view: window };
}

/** True if one of the events was prevented from having its usual effect: somebody has seen to it. */
function dispatch(element: Element, types: readonly string[], init: MouseEventInit): boolean {
  const { clientX = 0, clientY = 0 } = init;
  const hit = (element.getRootNode() as Document | ShadowRoot).elementFromPoint(clientX, clientY);
  // A user hits what is innermost.
  const target = hit !== null && element.contains(hit) ? hit : element;
  const events = types.map((type) =>
    type.startsWith('pointer')
      ? new PointerEvent(type, { ...init, isPrimary: true, pointerType: 'mouse' })
      : new MouseEvent(type, init),
  );
  return events.map((event) => target.dispatchEvent(event)).includes(false);
}

function click(element: Element, init: MouseEventInit, times: 1 | 2): boolean {
  let isSeenTo = dispatch(element, HOVER, init);
  for (let detail = 1; detail <= times; detail++) {
    const pressed = { ...init, buttons: 1, detail };
    if (dispatch(element, ['pointerdown', 'mousedown'], pressed)) isSeenTo = true;
    else
      (element.closest('a[href], button, input, select, textarea, summary, [tabindex]') as HTMLElement | null)?.focus();
    const last = { 0: 'click', 1: 'auxclick', 2: 'contextmenu' }[init.button ?? 0] ?? 'auxclick';
    if (dispatch(element, ['pointerup', 'mouseup', last], { ...init, detail })) isSeenTo = true;
  }
  if (times === 2 && dispatch(element, ['dblclick'], { ...init, detail: 2 })) isSeenTo = true;
  // Browsers block windows that no user has asked for, and say nothing.
  const link = element.closest<HTMLAnchorElement>('a[href][target="_blank"]');
  if (link !== null && !isSeenTo) tell(`window_opened ${link.href}`);
  return isSeenTo;
}

function tell(interruption: string): void {
  void platform.runtime.sendMessage({ kind: 'robot', detail: interruption });
}

function type(element: HTMLElement, text: string): boolean {
  if (element.isContentEditable) {
    element.focus();
    getSelection()?.selectAllChildren(element);
    return document.execCommand('insertText', false, text);
  }
  const isLine = element.tagName === 'INPUT';
  return setValue(element, text.replace(/\r\n?|\n/g, isLine ? '' : '\n'));
}

function observe(root: Node): void {
  changes.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
}

Object.assign(globalThis, {
  lastbyteReplay: {
    attempt,
    survey: () => ({ ...surveyPage(), inert: reacted === false }),
    /** Which frame of the page this is, by its indexes, and its address. */
    place() {
      const path: number[] = [];
      for (let frame: Window = window; frame !== frame.parent; frame = frame.parent) {
        path.unshift(Array.from({ length: frame.parent.length }, (_, i) => frame.parent[i]).indexOf(frame));
      }
      return { path, address: location.href };
    },
  },
});

/** From replay-world.ts, which runs where the page's own scripts do. */
document.addEventListener('lastbyte-interrupted', (event) => {
  tell(String((event as CustomEvent<unknown>).detail));
});
