import { currentSettings } from '../storage/current-settings.ts';
import type { Annotation, Store } from '../storage/store.ts';

export type AnnotateOutcome = 'written' | 'full' | 'unknown_target' | 'ends_before_it_begins';

/** Adds an annotation, unless it would never be shown: about an app that does not exist, or with an end before its start. */
export async function annotate(
  store: Pick<Store, 'annotations' | 'settings'>,
  annotation: Annotation,
): Promise<AnnotateOutcome> {
  const { at, until, target } = annotation;
  if (until !== null && until <= at) return 'ends_before_it_begins';
  if (target !== null) {
    const { settings } = await currentSettings(store.settings);
    if (!settings.targets.some(({ id }) => id === target)) return 'unknown_target';
  }
  return store.annotations.add(annotation);
}

/** An annotation as it is answered and printed: times RFC 3339. */
export function annotationDocument({ id, at, until, text, target, host, author, createdAt }: Annotation) {
  const iso = (time: number) => new Date(time).toISOString();
  return {
    id,
    at: iso(at),
    until: until === null ? null : iso(until),
    text,
    target,
    host,
    author,
    createdAt: iso(createdAt),
  };
}
