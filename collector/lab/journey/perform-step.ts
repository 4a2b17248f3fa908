import { setTimeout as sleep } from 'node:timers/promises';
import type { ElementHandle, Frame, KeyInput, MouseButton, Page } from 'puppeteer-core';
import { hasState, lookAt, selectAll, setValue } from '../../../extension/journey/in-page.mjs';
import type { ElementStep, Step } from '../../../shared/journeys/recording.ts';
import { navigationFault, StepBroke, type StepContext } from '../../../shared/journeys/replay.ts';
import { fillVariables } from '../../../shared/journeys/variables.ts';
import { findFrame, findReady, queryAll, type ReadyElement } from './find-element.ts';

const BUTTONS: Readonly<Record<string, MouseButton>> = {
  primary: 'left',
  auxiliary: 'middle',
  secondary: 'right',
  back: 'back',
  forward: 'forward',
};
/** Users paste a longer text. */
const MAX_KEYS = 200;
const NO_KEYBOARD = ['select', 'date', 'datetime-local', 'time', 'month', 'week', 'color', 'range'];

/**
 * Does what a step says, with the mouse and the keyboard of the browser. Waits for the state that it needs and never for a time, and
 * sends its event at most once: nothing is repeated, whatever comes of it.
 * @throws StepBroke
 */
export async function performStep(step: Step, page: Page, context: StepContext): Promise<void> {
  const { begin } = context;
  switch (step.type) {
    case 'setViewport':
      return page.setViewport({ width: step.width, height: step.height });
    case 'navigate':
      return navigate(page, step.url, begin);
    case 'click': {
      const { x, y } = (await ready(step, page, context)).point;
      const button = BUTTONS[step.button ?? 'primary'] ?? 'left';
      await page.mouse.move(x, y);
      const pressedAt = Date.now();
      await page.mouse.down({ button });
      await sleep(step.duration ?? 0);
      // A click is made by letting go.
      begin(undefined, pressedAt);
      return page.mouse.up({ button });
    }
    case 'doubleClick': {
      const { x, y } = (await ready(step, page, context)).point;
      await page.mouse.move(x, y);
      begin();
      return page.mouse.click(x, y, { button: BUTTONS[step.button ?? 'primary'] ?? 'left', count: 2 });
    }
    case 'hover': {
      const { x, y } = (await ready(step, page, context)).point;
      begin();
      return page.mouse.move(x, y);
    }
    case 'change':
      return change(step, page, context);
    case 'keyDown':
    case 'keyUp':
      begin();
      // The driver knows every key of the format; another name is a mistake in the recording.
      return page.keyboard[step.type === 'keyDown' ? 'down' : 'up'](step.key as KeyInput).catch((error: Error) => {
        throw /unknown key/i.test(error.message) ? new StepBroke('unknown_key', step.key) : error;
      });
    case 'scroll':
      return scroll(step, page, context);
    case 'waitForElement':
      return waitForElement(step, page, context);
  }
}

async function navigate(page: Page, url: string, begin: StepContext['begin']): Promise<void> {
  begin();
  await page.goto(url, { waitUntil: 'load', timeout: 0 }).catch((error: Error) => {
    const [code] = /(?:net::ERR|NS_ERROR|NS_BINDING|S[ES][LC]_ERROR|MOZILLA_PKIX_ERROR)\w*/.exec(error.message) ?? [];
    if (code === undefined) throw error;
    const fault = navigationFault(code);
    if (fault !== null) throw fault;
  });
}

function frameOf(
  { target, frame = [] }: { target?: string; frame?: readonly number[] },
  page: Page,
): () => Frame | null {
  return () => findFrame(page, target, frame);
}

function ready(step: ElementStep, page: Page, { poll }: StepContext): Promise<ReadyElement> {
  return findReady(step, frameOf(step, page), poll);
}

async function change(step: Step<'change'>, page: Page, context: StepContext): Promise<void> {
  const { values, begin } = context;
  const text = fillVariables(step.value, values);
  const { handle, state } = await ready(step, page, context);
  if (state.isPassword) context.signsIn();
  if (state.control === 'text') {
    const isLine = await handle.evaluate(selectAll);
    // A line break would send the form.
    const keys = [...text.replace(/\r\n?|\n/g, isLine ? '' : '\n')];
    const last = keys.pop();
    const typedAt = Date.now();
    const before = keys.join('');
    if (keys.length <= MAX_KEYS) await page.keyboard.type(before);
    // The events of this are the browser's own too.
    else await handle.evaluate((each, pasted) => each.ownerDocument.execCommand('insertText', false, pasted), before);
    begin(undefined, typedAt);
    if (last === undefined) await page.keyboard.press('Delete');
    else await page.keyboard.type(last);
  } else if (NO_KEYBOARD.includes(state.control)) {
    begin();
    if (!(await handle.evaluate(setValue, text))) throw new StepBroke('no_such_option');
  }
  // A checkbox or a radio button is switched by its click, which is a step of its own.
}

async function scroll(step: Step<'scroll'>, page: Page, { poll, begin }: StepContext): Promise<void> {
  const { x = 0, y = 0, selectors = ['html'] } = step;
  const frame = frameOf(step, page);
  const element = await poll(async () => {
    const within = frame();
    return (within && (await queryAll(within, selectors))[0]) ?? null;
  });
  if (element === null) throw new StepBroke(frame() === null ? 'frame_not_found' : 'element_not_found');
  begin();
  await element.evaluate((each, left, top) => each.scrollTo({ left, top, behavior: 'instant' }), x, y);
}

const COMPARE = {
  '>=': (n: number, count: number) => n >= count,
  '==': (n: number, count: number) => n === count,
  '<=': (n: number, count: number) => n <= count,
};

async function waitForElement(step: Step<'waitForElement'>, page: Page, { poll, begin }: StepContext): Promise<void> {
  const { operator = '>=', count = 1, visible = true, properties = {}, attributes = {} } = step;
  const frame = frameOf(step, page);
  let found = 0;
  begin();
  const held = await poll(async () => {
    const within = frame();
    if (within === null) return null;
    const elements = await queryAll(within, step.selectors);
    found = elements.length;
    const states = await Promise.all(elements.map((element) => matches(element, properties, attributes)));
    return (COMPARE[operator](found, count) && states.every(Boolean)) === visible ? true : null;
  });
  if (held !== null) return;
  if (frame() === null) throw new StepBroke('frame_not_found');
  const isMissing = found === 0 && visible && operator !== '<=';
  throw isMissing ? new StepBroke('element_not_found') : new StepBroke('condition_not_met', `${found} found`);
}

async function matches(
  element: ElementHandle,
  properties: Readonly<Record<string, unknown>>,
  attributes: Readonly<Record<string, string>>,
): Promise<boolean> {
  return (await element.evaluate(hasState, properties, attributes)) && (await element.evaluate(lookAt, null)).visible;
}
