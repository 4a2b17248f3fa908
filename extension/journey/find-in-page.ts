import { computeAccessibleName, getRole } from 'dom-accessibility-api';
import type { SelectorList } from '../../shared/journeys/recording.ts';

type Root = Document | ShadowRoot | Element;

/**
 * The elements that the first alternative with any match names: `aria/`, `text/`, `xpath/`, `pierce/` or CSS, as in recordings of
 * Chrome DevTools. A list leads through shadow roots. A selector that this browser does not understand matches nothing.
 */
export function findInPage(selectors: SelectorList, root: Document = document): Element[] {
  for (const selector of selectors) {
    const found = [selector].flat().reduce<Element[]>((hosts, part, index) => {
      const roots: Root[] = index === 0 ? [root] : hosts.map((host) => host.shadowRoot ?? host);
      return roots.flatMap((each) => query(each, part));
    }, []);
    if (found.length > 0) return found;
  }
  return [];
}

function query(root: Root, selector: string): Element[] {
  const [, kind = '', rest = ''] = /^(aria|text|xpath|pierce)\/(.*)$/s.exec(selector) ?? [];
  try {
    switch (kind) {
      case 'aria':
        return byName(root, rest);
      case 'text':
        return byText(root, rest);
      case 'xpath':
        return byPath(root, rest);
      case 'pierce':
        return withShadowRoots(root).flatMap((each) => [...each.querySelectorAll(rest)]);
      default:
        return [...root.querySelectorAll(selector)];
    }
  } catch (error) {
    if (error instanceof DOMException) return [];
    throw error;
  }
}

function withShadowRoots(root: Root): Root[] {
  const hosts = [...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? []);
  return [root, ...hosts.flatMap(withShadowRoots)];
}

/** `Save[role="button"]`, either part of which may be missing. */
function byName(root: Root, text: string): Element[] {
  const [, name = text, role = null] = /^(.*?)\s*\[role="([^"]*)"\]$/s.exec(text) ?? [];
  return withShadowRoots(root)
    .flatMap((each) => [...each.querySelectorAll('*')])
    .filter((element) => {
      const own = getRole(element);
      return (role === null ? own !== null : own === role) && (name === '' || nameInPage(element) === name);
    });
}

/** The innermost elements with this text; buttons made of an input have it as their value. */
function byText(root: Root, text: string): Element[] {
  const has = (element: Element) =>
    element instanceof HTMLInputElement && /^(button|submit|reset)$/.test(element.type)
      ? element.value.includes(text)
      : !/^(SCRIPT|STYLE|NOSCRIPT)$/.test(element.tagName) && (element.textContent ?? '').includes(text);
  const found = withShadowRoots(root).flatMap((each) => [...each.querySelectorAll('*')].filter(has));
  const all = new Set(found);
  return found.filter((element) => ![...element.children].some((child) => all.has(child)));
}

function byPath(root: Root, path: string): Element[] {
  const { ownerDocument } = root;
  const result = (ownerDocument ?? document).evaluate(path, root, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
  return Array.from({ length: result.snapshotLength }, (_, index) => result.snapshotItem(index)).filter(
    (node) => node instanceof Element,
  );
}

/** As a screen reader says it. https://www.w3.org/TR/accname-1.2/ */
export function nameInPage(element: Element): string {
  return computeAccessibleName(element).trim();
}

export function roleInPage(element: Element): string {
  return getRole(element) ?? '';
}
