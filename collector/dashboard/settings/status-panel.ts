import { element } from '../render/element.ts';
import type { PanelSpec } from '../render/scope.ts';
import type { ViewContext } from '../render/view.ts';

/** A part of the page that shows what the server has done. */
export interface StatusPanel {
  readonly element: HTMLElement;
  refresh(): void;
}

let reads = 0;

/** Each refresh has a key of its own, so that it never shows a cached answer. */
export function statusPanel<Value>({ scope }: ViewContext, spec: Omit<PanelSpec<Value>, 'key'>): StatusPanel {
  const holder = element('div', {});
  const refresh = () => holder.replaceChildren(scope.panel<Value>({ ...spec, key: `${spec.name} ${++reads}` }));
  refresh();
  return { element: holder, refresh };
}
