import type { SummaryMethod } from '../../analysis/summary/summary-document.ts';
import { useAppNames } from '../app/use-app-names.ts';
import { methodNote } from '../model/method-note.ts';
import { t } from '../text/t.ts';

/** How the numbers above were computed; collapsed by default. */
export function MethodFooter({ method }: { readonly method: SummaryMethod }) {
  const words = t.components.method;
  const { precision, folded, lines, rules, hash } = methodNote(method, useAppNames());
  return (
    <details class="method">
      <summary>
        <span class="method-title">{words.title}</span>
        <span>{precision}</span>
        {folded === null ? null : <span class="folded">{folded}</span>}
        <span>
          {words.data} <code>{hash.slice(0, 12)}</code>
        </span>
      </summary>
      <dl>
        {lines.map(([term, text]) => [<dt key={term}>{term}</dt>, <dd key={`${term} text`}>{text}</dd>])}
        <dt>{words.rules}</dt>
        <dd>
          <ul>
            {rules.map((rule) => (
              <li key={rule}>{rule}</li>
            ))}
          </ul>
        </dd>
        <dt>{words.dataHash}</dt>
        <dd>
          <code>{hash}</code>
        </dd>
        <dt>{words.perConnection}</dt>
        <dd>{words.perConnectionMeans}</dd>
        <dt>{words.perRequest}</dt>
        <dd>{words.perRequestMeans}</dd>
      </dl>
    </details>
  );
}
