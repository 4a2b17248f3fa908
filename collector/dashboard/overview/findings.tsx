import type { ComponentChildren } from 'preact';
import { useCallback, useState } from 'preact/hooks';
import type { FindingsDocument } from '../../questions/findings.ts';
import { type PageContext, usePage } from '../app/page-context.ts';
import { Panel } from '../components/panel.tsx';
import { RouteLink } from '../components/route-link.tsx';
import { viewQuestion } from '../model/summary-queries.ts';
import type { ViewQuery } from '../query-cache/query-state.ts';
import { useQuery } from '../query-cache/use-query.ts';
import { toView, withFilter } from '../state/view-state.ts';
import { localZone } from '../text/format.ts';
import { t } from '../text/t.ts';

/** The others are behind a click: three are what somebody can begin with. */
const SHOWN = 3;

const texts = t.overview.findings;

interface FindingsProps {
  /** Too little was measured to say that nothing stands out. */
  readonly few: boolean;
  /** What is shown if there is nothing. */
  readonly children: ComponentChildren;
}

/** What users wait for and need not, what would save most first. */
export function Findings({ few, children }: FindingsProps) {
  const page = usePage();
  const draw = useCallback(
    ({ findings }: FindingsDocument) =>
      findings.length > 0 ? (
        <Found findings={findings} />
      ) : (
        <>
          {few ? null : (
            <section class="panel finding" aria-label={texts.title}>
              <p class="lead">{texts.none}</p>
            </section>
          )}
          {children}
        </>
      ),
    [few, children],
  );
  return (
    <Panel<FindingsDocument> name={texts.title} shape="chart" query={findingsQuery(page)}>
      {draw}
    </Panel>
  );
}

/** Those about a host, above its page. Nothing while they are looked for: its figures are there before. */
export function HostFindings({ host }: { readonly host: string }) {
  const all = useQuery<FindingsDocument>(findingsQuery(usePage())).state.last?.value.findings ?? [];
  const findings = all.filter(({ place }) => place.host === host);
  return findings.length === 0 ? null : <Found findings={findings} />;
}

function findingsQuery(page: PageContext): ViewQuery<FindingsDocument> {
  return viewQuestion(page, 'findings', { extra: `&lang=${t.language}&zone=${encodeURIComponent(localZone())}` });
}

function Found({ findings }: Pick<FindingsDocument, 'findings'>) {
  const [all, setAll] = useState(false);
  return (
    <section class="panel finding findings" aria-label={texts.title}>
      <h2 class="eyebrow">{texts.title}</h2>
      <List findings={all ? findings : findings.slice(0, SHOWN)} />
      {findings.length <= SHOWN ? null : (
        <button type="button" class="plain" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? texts.first(SHOWN) : texts.all(findings.length)}
        </button>
      )}
    </section>
  );
}

function List({ findings }: Pick<FindingsDocument, 'findings'>) {
  const { state } = usePage();
  return (
    <ol>
      {findings.map(({ place: { host, site, target }, text }) => {
        const to =
          host !== null
            ? toView(state, 'host', { page: host })
            : site !== null
              ? withFilter(state, 'site', [site])
              : withFilter(state, 'target', target === null ? [] : [target]);
        return (
          <li key={text.title}>
            <h3 class="lead">{text.title}</h3>
            <p class="because">{text.action}</p>
            <p class="hint">
              {text.saves}{' '}
              {host !== null && host === state.own.page ? null : <RouteLink to={to}>{texts.show}</RouteLink>}
            </p>
          </li>
        );
      })}
    </ol>
  );
}
