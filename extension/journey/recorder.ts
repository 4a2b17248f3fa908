/**
 * What a recording is made of: injected into each frame of the recorded tab, and of no other use. Only events of the browser itself
 * count, so that a page's scripts cannot record anything, and nothing is left where they could read it. What is typed in secret
 * stays in this script.
 */
import type { Recorded } from '../../shared/journeys/assemble-recording.ts';
import type { SelectorList, Step } from '../../shared/journeys/recording.ts';
import { redactAddress } from '../../shared/journeys/run-outcome.ts';
import { cleanAddress, holdsSecret, isPlain, secretKind } from '../../shared/journeys/typed-secrets.ts';
import { platform } from '../platform.ts';
import { nameInPage } from './find-in-page.ts';
import { selectorsFor } from './name-element.ts';

interface Place {
  readonly frame?: number[];
  readonly selectors: SelectorList;
  readonly lastbyte?: { readonly name: string };
}

/** Not a name: an element's id may be one. */
const RUNNING = Symbol.for('lastbyte recorder');
const CONTROLS =
  'a[href], button, input, select, textarea, summary, label, option, [contenteditable], [role="button"], [role="link"], [role="tab"], [role="option"], [role="checkbox"], [role="radio"], [role="switch"], [role^="menuitem"], [role="treeitem"]';
const LINES = /^(?:text|search|url|tel|email|password|number)$/;
const KEYS = ['Enter', 'Tab', 'Escape', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', ' '];
const MODIFIERS = { Shift: 'shiftKey', Control: 'ctrlKey', Alt: 'altKey', Meta: 'metaKey' } as const;
/** Further, and the mouse was dragged. */
const MAX_DRIFT_PX = 5;

const running = window as unknown as { [RUNNING]?: AbortController };
running[RUNNING]?.abort();
const stop = new AbortController();
running[RUNNING] = stop;
const isTop = window === window.top;
const documentId = crypto.getRandomValues(new Uint32Array(3)).join('-');
/** What was typed in secret, by an id of its own. */
const secrets: Record<string, string> = {};
const passwords = new WeakSet<Element>();
let typing: { readonly element: HTMLElement; readonly place: Place } | null = null;
let pressed: { readonly event: PointerEvent; readonly place: Place } | null = null;

function send(steps: readonly Step[], more: Pick<Recorded, 'secret' | 'follows'> = {}): void {
  const address = redactAddress(location.href);
  const page = isTop && !holdsSecret(address, secrets) ? address : null;
  const item: Recorded = { page, steps, ...more };
  platform.runtime.sendMessage({ kind: 'recorded', item }).then(
    (kept: unknown) => kept === true || stop.abort(),
    () => stop.abort(), // the extension was updated or removed
  );
}

function listen<Name extends keyof WindowEventMap>(
  name: Name,
  heard: (event: WindowEventMap[Name]) => void,
  capture = true,
): void {
  const trusted = (event: WindowEventMap[Name]) => {
    if (event.isTrusted) heard(event);
  };
  addEventListener(name, trusted, { capture, passive: true, signal: stop.signal });
}

/** What the event really is about, within shadow roots too. */
function targetOf(event: Event): HTMLElement | null {
  const [target] = event.composedPath();
  return target instanceof HTMLElement || target instanceof SVGElement ? (target as HTMLElement) : null;
}

function placeOf(element: Element): Place {
  const frame = frameIndexes(window);
  const plain = (text: string) => isPlain(text, secrets);
  const [selectors, name] = [selectorsFor(element, plain), nameInPage(element)];
  // A password has no role, by which a selector could name it.
  const isUnnamed = name !== '' && plain(name) && !/^(?:aria|text)\//.test([selectors[0]].flat().join());
  return { ...(frame.length > 0 ? { frame } : {}), selectors, ...(isUnnamed ? { lastbyte: { name } } : {}) };
}

/** The way down from the top. A frame in a shadow root is not listed and becomes -1, which no recording may have. */
function frameIndexes(view: Window): number[] {
  const { parent } = view;
  if (parent === view) return [];
  return [...frameIndexes(parent), Array.from({ length: parent.length }, (_, index) => parent[index]).indexOf(view)];
}

/** A button may show the password that is typed later. */
function notePasswords(element: Element | null): void {
  const root = element?.getRootNode() as Document | ShadowRoot | undefined;
  for (const field of root?.querySelectorAll('input[type="password"]') ?? []) passwords.add(field);
}

function isText(element: HTMLElement): boolean {
  return element instanceof HTMLInputElement ? LINES.test(element.type) : isLines(element);
}

function isLines(element: HTMLElement): boolean {
  return element instanceof HTMLTextAreaElement || element.isContentEditable;
}

function flush(): void {
  if (typing === null) return;
  const { element, place } = typing;
  typing = null;
  const field = element as HTMLInputElement;
  const value = element.isContentEditable ? element.innerText : field.value;
  // An option may have a plain text where its value is a key.
  const shown = element instanceof HTMLSelectElement ? (element.selectedOptions[0]?.text.trim() ?? '') : value;
  const labels = [...(field.labels ?? [])].map(({ textContent }) => textContent);
  const about = {
    type: field.type ?? '',
    autocomplete: element.getAttribute('autocomplete') ?? '',
    names: [field.name, element.id, element.ariaLabel, field.placeholder, ...labels].join(' '),
    maxLength: field.maxLength ?? -1,
    wasPassword: passwords.has(element) || holdsSecret(value, secretsOf('password')),
  };
  const plain = [value, shown].find((each) => secretKind(each, about) === null);
  const step = { type: 'change', ...place, value: plain ?? '' } as Step;
  const kind = plain === undefined ? secretKind(value, about) : null;
  if (kind === null) {
    send([step]);
    return;
  }
  const id =
    Object.keys(secrets).find((each) => secrets[each] === value) ??
    `${kind} ${documentId} ${Object.keys(secrets).length}`;
  secrets[id] = value;
  send([step], { secret: { kind, document: documentId, id } });
}

function secretsOf(kind: string): Record<string, string> {
  return Object.fromEntries(Object.entries(secrets).filter(([id]) => id.startsWith(`${kind} `)));
}

listen('pointerdown', (event) => {
  flush();
  const target = targetOf(event);
  notePasswords(target);
  const control = event.composedPath().find((each) => each instanceof Element && each.matches(CONTROLS)) as
    | Element
    | undefined;
  const element = control ?? target;
  pressed =
    element === null || event.button !== 0 ? null : { event, place: clickPlace(event, element, control === undefined) };
});

/** On a control any point does; a place without one may mean something else a little further. */
function clickPlace(event: PointerEvent, element: Element, isExact: boolean): Place {
  const { left, top } = element.getBoundingClientRect();
  const offset = { offsetX: Math.round(event.clientX - left), offsetY: Math.round(event.clientY - top) };
  return { ...placeOf(element), ...(isExact ? offset : {}) };
}

// Not at the click, which a page that has already replaced the element does not get.
listen('pointerup', (event) => {
  const down = pressed?.event;
  if (pressed === null || down === undefined) return;
  const drift = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY);
  if (drift <= MAX_DRIFT_PX) send([{ type: 'click', ...pressed.place }]);
});
listen('dblclick', () => {
  if (pressed !== null) send([{ type: 'doubleClick', ...pressed.place }]);
});

listen('focus', (event) => notePasswords(targetOf(event)));
listen('input', (event) => {
  const element = targetOf(event);
  if (element === null || element === typing?.element) return;
  flush();
  const isField =
    isText(element) ||
    element instanceof HTMLSelectElement ||
    !/^(?:checkbox|radio|file|submit|button)$/.test((element as HTMLInputElement).type);
  if (isField) typing = { element, place: placeOf(element) };
});
listen('change', flush);
listen('blur', flush);
listen('pagehide', flush);

listen('keydown', (event) => {
  const element = targetOf(event);
  if (!KEYS.includes(event.key) || event.isComposing) return;
  flush();
  if (element !== null && !isTypedIn(element, event.key)) press(event);
});
/** In a longer text Enter is a new line, unless the page makes something else of it. */
listen(
  'keydown',
  (event) => {
    const element = targetOf(event);
    if (event.key === 'Enter' && event.defaultPrevented && element !== null && isLines(element)) press(event);
  },
  false,
);

/** Whether the key only changes what the field has, which is recorded as its value. */
function isTypedIn(element: HTMLElement, key: string): boolean {
  if (isLines(element)) return key !== 'Tab' && key !== 'Escape';
  const isArrow = key.startsWith('Arrow');
  if (element instanceof HTMLSelectElement) return isArrow || key === ' ' || key === 'Enter';
  if (isText(element)) return key === ' ' || key === 'ArrowLeft' || key === 'ArrowRight';
  return isArrow && /^(?:range|date|time|month|week|color)/.test((element as HTMLInputElement).type ?? '');
}

/** Released at once: the page may be another one by then. */
function press(event: KeyboardEvent): void {
  const held = Object.entries(MODIFIERS).flatMap(([key, flag]) => (event[flag] ? [key] : []));
  const keys = [...held, event.key];
  send([
    ...keys.map((key): Step => ({ type: 'keyDown', key })),
    ...keys.reverse().map((key): Step => ({ type: 'keyUp', key })),
  ]);
}

function sendPage(follows: boolean): void {
  send(
    [
      { type: 'setViewport', width: innerWidth, height: innerHeight },
      { type: 'navigate', url: cleanAddress(location, secrets) },
    ],
    { follows },
  );
}
if (isTop && /^https?:/.test(location.href)) {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  sendPage(navigation?.type === 'navigate');
  listen('pageshow', ({ persisted }) => {
    if (persisted) sendPage(false);
  });
}
