import type { SummaryMethod } from '../../analysis/summary/summary-document.ts';
import { methodNote } from '../model/method-note.ts';

/** How the numbers above were computed; collapsed by default. */
export function MethodFooter({ method }: { readonly method: SummaryMethod }) {
  const { precision, folded, lines, rules, hash } = methodNote(method);
  return (
    <details class="method">
      <summary>
        <span class="method-title">Method</span>
        <span>{precision}</span>
        {folded === null ? null : <span class="folded">{folded}</span>}
        <span>
          data <code>{hash.slice(0, 12)}</code>
        </span>
      </summary>
      <dl>
        {lines.map(([term, text]) => [<dt key={term}>{term}</dt>, <dd key={`${term} text`}>{text}</dd>])}
        <dt>Rules</dt>
        <dd>
          <ul>
            {rules.map((rule) => (
              <li key={rule}>{rule}</li>
            ))}
          </ul>
        </dd>
        <dt>Data hash</dt>
        <dd>
          <code>{hash}</code>
        </dd>
        <dt>Per connection</dt>
        <dd>over new connections only: the cost of opening a connection</dd>
        <dt>Per request</dt>
        <dd>over all network requests; a reused connection counts 0: the overall cost for users</dd>
      </dl>
    </details>
  );
}
