import type { AnnotationDocument } from '../../analysis/changes/annotation-document.ts';
import { type AppNames, valueLabel } from './value-label.ts';

/** The app and the host that an annotation is about, as people call them. */
export function describeAbout(
  { target, host }: Pick<AnnotationDocument, 'target' | 'host'>,
  names: AppNames,
): string[] {
  return [
    ...(target === null ? [] : [valueLabel('target', target, names)]),
    ...(host === null ? [] : [valueLabel('host', host, names)]),
  ];
}
