import { useLayoutEffect, useRef } from 'preact/hooks';
import { isPlainClick } from '../components/route-link.tsx';
import { replaceKeepingFocus } from '../render/keep-focus.ts';
import { createScope } from '../render/scope.ts';
import { keepUntilRead } from '../render/stand-in.ts';
import type { View } from '../render/view.ts';
import { parseViewState } from '../state/view-state.ts';
import type { PageContext } from './page-context.ts';

/** Shows a view that is made of nodes. */
export function LegacyView({ view, page }: { readonly view: View; readonly page: PageContext }) {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = root.current;
    if (box === null) return;
    const scope = createScope(page.cache);
    const nodes = view.render({ ...page, scope });
    if (nodes.length !== 1 || !keepUntilRead(box, nodes[0])) replaceKeepingFocus(box, ...nodes);
    return () => scope.stop();
  }, [view, page]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the links in it are clicked by the keyboard too
    // biome-ignore lint/a11y/noStaticElementInteractions: it follows links only
    <div
      ref={root}
      style={{ display: 'contents' }}
      onClick={(event) => {
        const followed = event.target instanceof Element ? event.target.closest('a[data-route]') : null;
        if (!(followed instanceof HTMLAnchorElement) || !isPlainClick(event)) return;
        event.preventDefault();
        page.navigate(parseViewState(followed.search));
      }}
    />
  );
}
