import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type PageContext, PageProvider, usePage } from '../../../collector/dashboard/app/page-context.ts';
import { formatViewState, parseViewState } from '../../../collector/dashboard/state/view-state.ts';

interface NavigableProps {
  /** The query string at first. */
  readonly search?: string;
  readonly more?: Partial<PageContext>;
  readonly children: ComponentChildren;
}

/** A page that goes where its components navigate to; `<output>` has its query string, decoded. */
export function Navigable({ search = '', more = {}, children }: NavigableProps) {
  const page = usePage();
  const [state, setState] = useState(() => parseViewState(search));
  return (
    <PageProvider value={{ ...page, ...more, state, navigate: setState }}>
      {children}
      <output>{decodeURIComponent(formatViewState(state)).replaceAll('+', ' ')}</output>
    </PageProvider>
  );
}
