import type { SessionRole } from '../api/api-client.ts';
import { button, element, svgElement } from '../render/element.ts';
import { toView, type ViewState } from '../state/view-state.ts';
import { VIEWS } from './views.ts';

/** The product's name, a link to the first view. */
export function brand(): HTMLElement {
  return element(
    'a',
    { class: 'brand', href: '/', 'data-route': true, 'data-focus': 'brand' },
    brandMark(),
    'Lastbyte',
  );
}

/** The session's role, and signing out. */
export function account(role: SessionRole, signOut: () => void): HTMLElement {
  return element(
    'div',
    { class: 'account' },
    element('span', { class: 'role quiet small' }, role === 'admin' ? 'Administrator' : 'Viewer'),
    button({ class: 'plain', 'data-focus': 'sign out' }, signOut, 'Sign out'),
  );
}

/** Links to the views that this role may open; range and filters are kept. */
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

/** Four phases of a request as bars. */
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
