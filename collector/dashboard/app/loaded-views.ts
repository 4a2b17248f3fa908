import type { View, ViewEntry } from './view.ts';

const loaded = new Map<string, View>();

/** A view that is loaded already: a click shows it at once. */
export function loadedView({ name }: ViewEntry): View | undefined {
  return loaded.get(name);
}

export async function loadView(entry: ViewEntry): Promise<View> {
  const view = loaded.get(entry.name) ?? (await entry.load());
  loaded.set(entry.name, view);
  return view;
}
