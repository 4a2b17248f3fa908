import type { ComponentChildren } from 'preact';
import { usePage } from '../app/page-context.ts';
import type { ViewState } from '../state/view-state.ts';

interface RouteLinkProps {
  readonly to: ViewState;
  readonly class?: string;
  readonly title?: string;
  /** Set on the link to what is currently shown. */
  readonly current?: 'page' | 'true' | undefined;
  readonly children: ComponentChildren;
}

/** A link within the dashboard: a plain click does not reload the page. */
export function RouteLink({ to, current, children, ...rest }: RouteLinkProps) {
  const { link, navigate } = usePage();
  return (
    <a
      {...rest}
      href={link(to)}
      aria-current={current}
      onClick={(event) => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        navigate(to);
      }}
    >
      {children}
    </a>
  );
}

/** False for clicks that open another tab or window. */
export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
}
