import type { SelectorList } from '../../shared/journeys/recording.ts';
import { findInPage, nameInPage, roleInPage } from './find-in-page.ts';

/** Written by programmers for what is done here. */
const ATTRIBUTES = ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa', 'name'];
const MAX_TEXT = 50;

/**
 * Names an element as a user would, then as its programmer did, and last by its place, which changes the most easily. Each
 * alternative finds the element now, and none has a text that `isPlain` refuses.
 */
export function selectorsFor(element: Element, isPlain: (text: string) => boolean): SelectorList {
  const hosts = hostsOf(element);
  const within = (css: string) => (hosts.length === 0 ? css : [...hosts.map((host) => cssOf(host, isPlain)), css]);
  const finds = (selector: SelectorList[number]) => findInPage([selector])[0] === element;
  const named = byName(element).filter((selector) => isPlain(selector.slice('aria/'.length)) && finds(selector));
  const given = attributesOf(element, isPlain)
    .map(within)
    .filter((selector) => finds(selector));
  const text = (element.textContent ?? '').trim();
  const isShort = named.length === 0 && text !== '' && text.length <= MAX_TEXT && isPlain(text);
  const texts = [`text/${text}`].filter((selector) => isShort && finds(selector));
  return [...named, ...given, ...texts, within(pathTo(element, isPlain))];
}

function byName(element: Element): string[] {
  const [role, name] = [roleInPage(element), nameInPage(element)];
  return role === '' || name === '' ? [] : [`aria/${name}[role="${role}"]`];
}

/** The outermost first. */
function hostsOf(element: Element): Element[] {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? [...hostsOf(root.host), root.host] : [];
}

/** CSS that finds an element first in its own tree. */
function cssOf(element: Element, isPlain: (text: string) => boolean): string {
  const root = element.getRootNode() as Document | ShadowRoot;
  const short = attributesOf(element, isPlain).find((css) => root.querySelector(css) === element);
  return short ?? pathTo(element, isPlain);
}

function attributesOf(element: Element, isPlain: (text: string) => boolean): string[] {
  const given = ATTRIBUTES.flatMap((attribute) => {
    const value = element.getAttribute(attribute) ?? '';
    return /^[\w.-]+$/.test(value) && isPlain(value) ? [`${element.localName}[${attribute}="${value}"]`] : [];
  });
  // An id with a number is mostly generated, and another element's in the next version.
  return /^[a-z][a-z_-]*$/i.test(element.id) && isPlain(element.id) ? [...given, `#${element.id}`] : given;
}

function pathTo(element: Element, isPlain: (text: string) => boolean): string {
  const parent = element.parentElement;
  const alike = [...(element.parentNode?.children ?? [])].filter(({ localName }) => localName === element.localName);
  const own = element.localName + (alike.length > 1 ? `:nth-of-type(${alike.indexOf(element) + 1})` : '');
  return parent === null ? own : `${cssOf(parent, isPlain)} > ${own}`;
}
