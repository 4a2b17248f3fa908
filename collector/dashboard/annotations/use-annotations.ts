import { useMemo } from 'preact/hooks';
import { type AnnotationDocument, concerns } from '../../analysis/changes/annotation-document.ts';
import type { ChartAnnotation } from '../../charts/chart-spec.ts';
import { describeError } from '../api/describe-error.ts';
import { usePage } from '../app/page-context.ts';
import { useAppNames } from '../app/use-app-names.ts';
import { describeAbout } from '../model/annotation-about.ts';
import { useQuery } from '../query-cache/use-query.ts';
import { resolveRange } from '../state/time-range.ts';
import type { ViewState } from '../state/view-state.ts';

/** What happened in the view's range, in order of time. */
export interface Annotations {
  /** About what the view shows. */
  readonly list: readonly AnnotationDocument[];
  /** As charts draw them: with the app or host that they are about. */
  readonly drawn: readonly ChartAnnotation[];
  /** Why there are none; null if they could be read. */
  readonly problem: string | null;
}

/** Constant, so that no chart is drawn again because of it. */
const NONE: Annotations = { list: [], drawn: [], problem: null };

/** Of a query for the view's annotations. */
export function annotationsKey({ range }: Pick<ViewState, 'range'>): string {
  return `annotations ${JSON.stringify(range)}`;
}

/** @param host that the page is about */
export function useAnnotations(host: string | null = null): Annotations {
  const { state, client, now } = usePage();
  const names = useAppNames();
  const { state: query } = useQuery<{ readonly annotations: readonly AnnotationDocument[] }>({
    key: annotationsKey(state),
    read: (signal) => {
      const { from, to } = resolveRange(state.range, now());
      return client.read(`/annotations?from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`, signal);
    },
  });
  const all = query.last?.value.annotations;
  const problem = query.kind === 'failed' && all === undefined ? describeError(query.error) : null;
  const { target, host: hosts } = state.filters;
  return useMemo(() => {
    const list = (all ?? []).filter((one) => concerns(one, target, host === null ? hosts : [host]));
    if (list.length === 0 && problem === null) return NONE;
    const drawn = list.map((one) => ({
      at: Date.parse(one.at),
      until: one.until === null ? null : Date.parse(one.until),
      text: [one.text, ...describeAbout(one, names)].join(' · '),
    }));
    return { list, drawn, problem };
  }, [all, problem, target, hosts, host, names]);
}
