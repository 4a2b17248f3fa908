/**
 * Runs in each frame of the recorded tab, and only there. Only events of the browser itself count, so that a page's scripts cannot
 * record anything, and nothing is left where they could read it. What is typed in secret stays in this script.
 */
import type { Recorded } from '../../shared/journeys/assemble-recording.ts';
import type { Step } from '../../shared/journeys/recording.ts';
import { redactAddress } from '../../shared/journeys/run-outcome.ts';
import { cleanAddress, holdsSecret, isPlain, secretKind } from '../../shared/journeys/typed-secrets.ts';
import { platform } from '../platform.ts';
import { nameInPage } from './find-in-page.ts';
import { selectorsFor } from './name-element.ts';

/** Not a name: an element's id may be one. */
const RUNNING = Symbol.for('lastbyte recorder');
const CONTROLS =
  'a[href], button, input, select, textarea, summary, label, option, [contenteditable], [role="button"], [role="link"], [role="tab"], [role="option"], [role="checkbox"], [role="radio"], [role="switch"], [role^="menuitem"], [role="treeitem"]';
const FIELDS = 'select, textarea, [contenteditable], input:not([type="checkbox"], [type="radio"], [type="file"])';
const KEYS = ['Enter', 'Tab', 'Escape', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', ' '];
/** Further, and the mouse was dragged. */
const MAX_DRIFT_PX = 5;

const running = window as unknown as { [RUNNING]?: AbortController };
running[RUNNING]?.abort();
const stop = new AbortController();
running[RUNNING] = stop;
const isTop = window === window.top;
const ownId = crypto.getRandomValues(new Uint32Array(3)).join('-');
/** What was typed in secret, by an id of its own. */
const secrets: Record<string, string> = {};
const passwords = new WeakSet<Element>();
let typing: { readonly field: HTMLInputElement; readonly place: object } | null = null;
let pressed: { readonly event: PointerEvent; readonly place: object } | null = null;

function send(steps: readonly object[], more: Pick<Recorded, 'secret' | 'follows'> = {}): void {
  const address = redactAddress(location.href);
  const page = isTop && !holdsSecret(address, secrets) ? address : null;
  const item: Recorded = { page, steps: steps as Step[], ...more };
  platform.runtime.sendMessage({ kind: 'recorded', item }).then(
    (kept: unknown) => kept === true || stop.abort(),
    () => stop.abort(), // the extension was updated or removed
  );
}

function listen<Name extends keyof WindowEventMap>(
  name: Name,
  heard: (event: WindowEventMap[Name], target: HTMLInputElement | null) => void,
): void {
  const trusted = (event: WindowEventMap[Name]) => {
    // Within shadow roots too.
    const [target] = event.composedPath();
    if (event.isTrusted) heard(event, target instanceof Element ? (target as HTMLInputElement) : null);
  };
  addEventListener(name, trusted, { capture: true, passive: true, signal: stop.signal });
}

function placeOf(element: Element): object {
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

/** Before a button shows one. */
function notePasswords(element: Element | null): void {
  const root = element?.getRootNode() as Document | ShadowRoot | undefined;
  for (const field of root?.querySelectorAll('input[type="password"]') ?? []) passwords.add(field);
}

function flush(): void {
  if (typing === null) return;
  const { field, place } = typing;
  typing = null;
  const value = field.isContentEditable ? field.innerText : field.value;
  // An option may have a plain text where its value is a key.
  const option = field instanceof HTMLSelectElement ? field.selectedOptions[0]?.text.trim() : undefined;
  const labels = [...(field.labels ?? [])].map(({ textContent }) => textContent);
  const typed = Object.entries(secrets);
  const about = {
    type: field.type ?? '',
    autocomplete: field.getAttribute('autocomplete') ?? '',
    names: [field.name, field.id, field.ariaLabel, field.placeholder, ...labels].join(' '),
    maxLength: field.maxLength ?? -1,
    wasPassword:
      passwords.has(field) || holdsSecret(value, Object.fromEntries(typed.filter(([id]) => /^password/.test(id)))),
  };
  const plain = [value, option ?? value].find((each) => secretKind(each, about) === null);
  const kind = plain === undefined ? secretKind(value, about) : null;
  const step = { type: 'change', ...place, value: plain ?? '' };
  if (kind !== null) {
    const [id] = typed.find(([, each]) => each === value) ?? [`${kind} ${ownId} ${typed.length}`];
    secrets[id] = value;
    send([step], { secret: { kind, document: ownId, id } });
  } else send([step]);
}

listen('pointerdown', (event, target) => {
  flush();
  notePasswords(target);
  const control = event.composedPath().find((each) => each instanceof Element && each.matches(CONTROLS));
  const element = (control as Element | undefined) ?? target;
  pressed = null;
  if (element === null || event.button !== 0) return;
  const { left, top } = element.getBoundingClientRect();
  // On a control any point does; elsewhere another one may mean something else.
  const offset = { offsetX: Math.round(event.clientX - left), offsetY: Math.round(event.clientY - top) };
  pressed = { event, place: { ...placeOf(element), ...(control === undefined ? offset : {}) } };
});
// Not at the click, which a page that has already replaced the element does not get.
listen('pointerup', ({ clientX, clientY }) => {
  if (pressed === null) return;
  const drift = Math.hypot(clientX - pressed.event.clientX, clientY - pressed.event.clientY);
  if (drift <= MAX_DRIFT_PX) send([{ type: 'click', ...pressed.place }]);
});
listen('dblclick', () => {
  if (pressed !== null) send([{ type: 'doubleClick', ...pressed.place }]);
});

listen('focus', (_, target) => notePasswords(target));
listen('input', (_, field) => {
  if (field === null || field === typing?.field) return;
  flush();
  if (field.matches(FIELDS)) typing = { field, place: placeOf(field) };
});
for (const end of ['change', 'blur', 'pagehide'] as const) listen(end, flush);

listen('keydown', ({ key, isComposing, shiftKey, ctrlKey, altKey, metaKey }, target) => {
  if (!KEYS.includes(key) || isComposing) return;
  flush();
  if (shiftKey || ctrlKey || altKey || metaKey) return;
  // Recorded as the value.
  const isTyped = target?.matches('select, textarea, [contenteditable]')
    ? !/Tab|Escape/.test(key)
    : / |Left|Right/.test(key);
  if (isTyped && target?.matches(FIELDS)) return;
  // Released at once: the page may be another one by then.
  send(['keyDown', 'keyUp'].map((type) => ({ type, key })));
});

function sendPage(follows: boolean): void {
  const viewport = { type: 'setViewport', width: innerWidth, height: innerHeight };
  send([viewport, { type: 'navigate', url: cleanAddress(location, secrets) }], { follows });
}
if (isTop && /^https?:/.test(location.href)) {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const opened = () => sendPage(navigation?.type === 'navigate');
  if ('prerendering' in document && document.prerendering) document.addEventListener('prerenderingchange', opened);
  else opened();
  listen('pageshow', ({ persisted }) => {
    if (persisted) sendPage(false);
  });
}
