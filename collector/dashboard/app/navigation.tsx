import { useLayoutEffect, useRef } from 'preact/hooks';
import { RouteLink } from '../components/route-link.tsx';
import { useSideHints } from '../components/scroll-box.tsx';
import { toView } from '../state/view-state.ts';
import { t } from '../text/t.ts';
import { usePage } from './page-context.ts';
import { VIEWS } from './views.ts';

/** Links to the views; range and filters are kept. */
export function Navigation({ current }: { readonly current: string }) {
  const { state } = usePage();
  const views = useRef<HTMLElement>(null);
  useSideHints(views);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current view's link is looked for in the document
  useLayoutEffect(() => {
    if (views.current !== null) showCurrent(views.current);
  }, [current]);
  return (
    <nav id="views" ref={views} aria-label={t.app.viewsLabel}>
      {VIEWS.filter(({ label }) => label !== null).map(({ name, label }) => (
        <RouteLink
          key={name}
          to={toView(state, name)}
          class="view-link"
          current={name === current ? 'page' : undefined}
        >
          {label}
        </RouteLink>
      ))}
    </nav>
  );
}

/** Scrolls the current view's tab into sight where the navigation is wider than the screen; the page does not move. */
function showCurrent(views: HTMLElement): void {
  const current = views.querySelector<HTMLElement>('[aria-current]');
  if (current === null) return;
  const [box, own] = [views.getBoundingClientRect(), current.getBoundingClientRect()];
  views.scrollLeft += Math.min(0, own.left - box.left) + Math.max(0, own.right - box.right);
}
