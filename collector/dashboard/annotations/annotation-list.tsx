import { useState } from 'preact/hooks';
import { describeError } from '../api/describe-error.ts';
import { usePage } from '../app/page-context.ts';
import { formatMoment, formatPeriod } from '../text/moment.ts';
import { t } from '../text/t.ts';
import type { Annotations } from './use-annotations.ts';

const texts = t.charts.annotations;

type AnnotationDialog = typeof import('./annotation-dialog.tsx').AnnotationDialog;

/** Below a chart: what its rules stand for, and for admins a way to add and delete. */
export function AnnotationList({ list, drawn, problem }: Annotations) {
  const { role, announce } = usePage();
  const [Dialog, setDialog] = useState<AnnotationDialog | null>(null);
  const open = () => {
    // Rarely needed, so that no first visit waits for it.
    import('./annotation-dialog.tsx').then(
      ({ AnnotationDialog }) => setDialog(() => AnnotationDialog),
      (error: unknown) => announce(describeError(error)),
    );
  };
  if (role !== 'admin' && drawn.length === 0 && problem === null) return null;
  return (
    <div class="annotations">
      {problem === null ? null : <p class="problem">{problem}</p>}
      {drawn.length === 0 ? null : (
        <details>
          <summary>{texts.count(drawn.length)}</summary>
          <ul>
            {drawn.map(({ at, until, text }, i) => (
              <li key={list[i]?.id}>
                <time>{until === null ? formatMoment(at) : formatPeriod(at, until)}</time>
                {` ${text}`}
              </li>
            ))}
          </ul>
        </details>
      )}
      {role === 'admin' ? (
        <button type="button" class="tool" aria-haspopup="dialog" onClick={open}>
          {texts.annotate}
        </button>
      ) : null}
      {Dialog === null ? null : <Dialog list={list} onClose={() => setDialog(null)} />}
    </div>
  );
}
