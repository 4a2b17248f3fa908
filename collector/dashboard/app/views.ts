import { t } from '../text/t.ts';
import type { View, ViewEntry } from './view.ts';

/** Every view, in the order of the navigation. A new view is a folder and an entry here. */
export const VIEWS: readonly ViewEntry[] = [
  {
    name: 'overview',
    label: t.app.views.overview,
    ranged: true,
    rows: true,
    load: async () => (await import('../overview/overview.tsx')).overview,
  },
  {
    name: 'host',
    label: null,
    ranged: true,
    rows: true,
    load: async () => (await import('../host/host.tsx')).host,
  },
  {
    name: 'probes',
    label: t.app.views.probes,
    ranged: true,
    load: async () => (await import('../probes/probes.tsx')).probes,
  },
  {
    name: 'compare',
    label: t.app.views.compare,
    ranged: true,
    load: async () => (await import('../compare/compare.tsx')).compare,
  },
  {
    name: 'evidence',
    label: t.app.views.evidence,
    ranged: true,
    load: async () => (await import('../evidence/evidence.tsx')).evidence,
  },
  {
    name: 'settings',
    label: t.app.views.settings,
    ranged: false,
    load: async () => (await import('../settings/settings.tsx')).settings,
  },
];

export function viewNamed(name: string): ViewEntry | undefined {
  return VIEWS.find((view) => view.name === name);
}

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
