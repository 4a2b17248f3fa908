import type { SessionRole } from '../api/api-client.ts';
import { button, element, svgElement } from '../render/element.ts';
import { VIEWS } from '../router/views.ts';
import { toView, type ViewState } from '../state/view-state.ts';

/** Name of the product, and the way back to the first view. */
export function brand(): HTMLElement {
  return element(
    'a',
    { class: 'brand', href: '/', 'data-route': true, 'data-focus': 'brand' },
    brandMark(),
    'Lastbyte',
  );
}

/** Who is signed in, and the way out. */
export function account(role: SessionRole, signOut: () => void): HTMLElement {
  return element(
    'div',
    { class: 'account' },
    element('span', { class: 'role quiet small' }, role === 'admin' ? 'Administrator' : 'Reader'),
    button({ class: 'plain', 'data-focus': 'sign out' }, signOut, 'Sign out'),
  );
}

/** The views this role may open; range and filters go along. */
export function navigation(
  current: string,
  role: SessionRole,
  state: ViewState,
  link: (to: ViewState) => string,
): readonly HTMLElement[] {
  const open = VIEWS.filter((view) => view.label !== null && (view.role === 'read' || role === 'admin'));
  return open.map(({ name, label }) =>
    element(
      'a',
      {
        href: link(toView(state, name)),
        'data-route': true,
        'data-focus': `view ${name}`,
        class: 'view-link',
        'aria-current': name === current ? 'page' : null,
      },
      label,
    ),
  );
}

/** Four phases of a request, the last one reaching the end. */
function brandMark(): SVGSVGElement {
  const bar = (x: number, y: number, width: number, phase: string) =>
    svgElement('rect', { x, y, width, height: 4, rx: 1.5, class: `fill-${phase}` });
  return svgElement(
    'svg',
    { width: 22, height: 22, viewBox: '0 0 22 22', 'aria-hidden': 'true' },
    bar(1, 1, 6, 'tcp'),
    bar(5, 6.5, 6, 'tls'),
    bar(9, 12, 8, 'wait'),
    bar(15, 17.5, 6, 'receive'),
  );
}
