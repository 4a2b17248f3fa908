/**
 * What runs inside the page: each function is sent there as its text, so it uses nothing outside itself. A page's own scripts can
 * see none of it.
 */

/**
 * Brings an element into view and says whether a user could act on it now, at an offset from its corner or in its middle.
 * @param {any} element
 * @param {{ readonly x: number, readonly y: number } | null} offset
 * @returns {{ visible: boolean, disabled: boolean, readOnly: boolean, control: string, isPassword: boolean,
 *   coveredBy: string | null, x: number, y: number, moving: boolean }}
 */
export function lookAt(element, offset) {
  // Chromium finds the document too where its title is what is looked for.
  if (!(element instanceof Element)) element = document.createElement('i');
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const box = element.getClientRects()[0] ?? { left: 0, top: 0, width: 0, height: 0 };
  const style = getComputedStyle(element);
  const visible = box.width > 0 && box.height > 0 && style.visibility === 'visible';
  // A recorded offset lies outside where the element has become smaller.
  const inside = offset !== null && offset.x >= 0 && offset.y >= 0 && offset.x < box.width && offset.y < box.height;
  const x = inside ? offset.x : box.width / 2;
  const y = inside ? offset.y : box.height / 2;
  const hit = visible ? element.getRootNode().elementFromPoint(box.left + x, box.top + y) : null;
  const reaches =
    hit === null ||
    hit === element ||
    element.contains(hit) ||
    hit.contains(element) ||
    hit.closest('label')?.control === element;
  const control = { SELECT: 'select', TEXTAREA: 'text' }[element.tagName] ?? '';
  const isText = /^(text|search|url|tel|email|password|number)$/.test(element.type ?? '');
  return {
    visible,
    disabled: element.matches(':disabled') || element.closest('[aria-disabled="true"], [inert]') !== null,
    readOnly: element.readOnly === true,
    control:
      control ||
      (element.tagName !== 'INPUT' ? (element.isContentEditable ? 'text' : '') : isText ? 'text' : element.type),
    isPassword: element.type === 'password',
    coveredBy: reaches
      ? null
      : (hit.getAttribute('aria-label') ?? hit.id ?? '').slice(0, 80) || hit.tagName.toLowerCase(),
    x,
    y,
    moving: element.getAnimations?.({ subtree: false }).some((each) => each.playState === 'running') ?? false,
  };
}

/**
 * Selects all that a field has, so that what is typed replaces it. Tells whether it has a single line.
 * @param {any} element
 * @returns {boolean}
 */
export function selectAll(element) {
  element.focus();
  if (typeof element.select === 'function') element.select();
  else getSelection()?.selectAllChildren(element);
  return element.tagName === 'INPUT';
}

/**
 * Sets what no keyboard types: a date, a colour, a slider, and what a list offers, by its value or by its text. False if the list has
 * no such option.
 * @param {any} element
 * @param {string} value
 * @returns {boolean}
 */
export function setValue(element, value) {
  const options = [...(element.options ?? [])].filter((each) => !each.disabled);
  const option = options.find((each) => each.value === value) ?? options.find((each) => each.text.trim() === value);
  if (element.tagName === 'SELECT' && option === undefined) return false;
  element.focus();
  // A framework that keeps the last value on the element would not notice a plain assignment.
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value') ?? {};
  set?.call(element, option?.value ?? value);
  for (const type of ['input', 'change']) element.dispatchEvent(new Event(type, { bubbles: true }));
  return true;
}

/**
 * @param {any} element
 * @param {Readonly<Record<string, unknown>>} properties
 * @param {Readonly<Record<string, string>>} attributes
 * @returns {boolean}
 */
export function hasState(element, properties, attributes) {
  const matches = (wanted, found) =>
    wanted === found ||
    (typeof wanted === 'object' &&
      wanted !== null &&
      found != null &&
      Object.entries(wanted).every(([name, inner]) => matches(inner, found[name])));
  return (
    Object.entries(attributes).every(([name, value]) => element.getAttribute(name) === value) &&
    matches(properties, element)
  );
}

/**
 * Lists the visible controls and headings by role and name. Never includes what has been typed into a field.
 * @returns {{ title: string, signIn: boolean, elements: { role: string, name: string }[] }}
 */
export function surveyPage() {
  const ROLES = { A: 'link', BUTTON: 'button', SELECT: 'combobox', TEXTAREA: 'textbox', SUMMARY: 'button' };
  const INPUTS = { checkbox: 'checkbox', radio: 'radio', button: 'button', submit: 'button', image: 'button' };
  const roleOf = (element) =>
    element.getAttribute('role') ??
    ROLES[element.tagName] ??
    (/^H[1-6]$/.test(element.tagName) ? 'heading' : (INPUTS[element.type] ?? 'textbox'));
  const nameOf = (element) => {
    const isField = /^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName) || element.isContentEditable;
    const isButton = /^(button|submit)$/.test(element.type ?? '') && element.tagName === 'INPUT';
    const ids = (element.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter(Boolean);
    const byId = ids.map((id) => element.getRootNode().getElementById?.(id)?.textContent ?? '').join(' ');
    const label = element.labels?.[0]?.textContent;
    const given = element.getAttribute('aria-label') || byId || label || element.getAttribute('alt');
    const own = isField ? (isButton ? element.value : element.getAttribute('placeholder')) : element.textContent;
    return (given || own || element.getAttribute('title') || '').replace(/\s+/g, ' ').trim().slice(0, 200);
  };
  const elements = [];
  let signIn = false;
  const walk = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (elements.length === 500) return;
      if (element.shadowRoot) walk(element.shadowRoot);
      if (!element.matches('a[href], button, input, select, textarea, summary, h1, h2, h3, [role]')) continue;
      if (element.getClientRects().length === 0 || element.type === 'hidden') continue;
      if (element.type === 'password') signIn = true;
      elements.push({ role: roleOf(element), name: nameOf(element) });
    }
  };
  walk(document);
  return { title: document.title, signIn, elements };
}
