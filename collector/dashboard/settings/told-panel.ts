import type { PanelSpec } from '../readings/scope.ts';
import { element } from '../render/element.ts';
import type { ViewContext } from '../router/view.ts';
import type { Told } from './section.ts';

let reading = 0;

/** A panel that can be read anew at any time: each reading has a key of its own, so no earlier answer is shown for it. */
export function toldPanel<Value>({ scope }: ViewContext, spec: Omit<PanelSpec<Value>, 'key'>): Told {
  const holder = element('div', {});
  const refresh = () => holder.replaceChildren(scope.panel<Value>({ ...spec, key: `${spec.name} ${++reading}` }));
  refresh();
  return { element: holder, refresh };
}
