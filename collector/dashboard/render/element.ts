const SVG = 'http://www.w3.org/2000/svg';

export type Child = Node | string | null;
/** `null` and `false` leave an attribute out; `true` writes it empty. */
export type Attributes = Readonly<Record<string, string | number | boolean | null>>;

/** The only way the dashboard creates elements: text stays text, so measured data can never become markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  return fill(document.createElement(tag), attributes, children);
}

export function svgElement<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] {
  return fill(document.createElementNS(SVG, tag) as SVGElementTagNameMap[Tag], attributes, children);
}

/** A button of `type=button`, so that it never submits a form. */
export function button(attributes: Attributes, act: () => void, ...children: readonly Child[]): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, ...children);
  made.addEventListener('click', act);
  return made;
}

/** Text for screen readers only. */
export function spoken(text: string): HTMLSpanElement {
  return element('span', { class: 'spoken' }, text);
}

function fill<Made extends Element>(made: Made, attributes: Attributes, children: readonly Child[]): Made {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) continue;
    made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}
