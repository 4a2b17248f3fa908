import { NO_APP_NAMES } from '../../../shared/settings/app-names.ts';
import { toFinding } from '../../analysis/summary/finding.ts';
import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import { findingText } from '../../analysis/text/finding-text.ts';
import { explainUnknown } from '../../analysis/text/unknown-reason.ts';
import { sentence } from '../api/describe-error.ts';
import { useAppNames } from '../app/use-app-names.ts';
import { t } from '../text/t.ts';
import { AverageChart, PhasesChart } from './cell-charts.tsx';
import { VerdictBadge } from './verdict-badge.tsx';

interface FindingProps {
  readonly cell: SummaryCell;
  readonly heading: string;
  /** Caption of exported charts. */
  readonly of: string;
  /** As in `Chart`. */
  readonly opensRequests?: boolean;
}

/** The headline with its charts: what users wait for and why. */
export function Finding({ cell, heading, of, opensRequests }: FindingProps) {
  const apps = useAppNames();
  const finding = toFinding(cell);
  const [lead = '', because = '', ...more] =
    finding === null ? nothingUsable(cell) : findingText(finding, t, apps ?? NO_APP_NAMES);
  return (
    <div class="hero">
      <div class="hero-words">
        <section class="finding" aria-label={heading}>
          <p class="eyebrow">{heading}</p>
          <h2 class="lead">{lead}</h2>
          <p class="because">
            <VerdictBadge verdict={cell.verdict} /> {because}
          </p>
          {more.length === 0 ? null : (
            <details class="finding-more">
              <summary>{t.components.more}</summary>
              <p>{more.join(' ')}</p>
            </details>
          )}
        </section>
        <AverageChart cell={cell} of={of} />
      </div>
      <PhasesChart cell={cell} of={of} opensRequests={opensRequests} />
    </div>
  );
}

function nothingUsable(cell: SummaryCell): readonly string[] {
  const { host, evidence } = cell;
  const lead = t.components.notTimed(host ?? t.components.here);
  const reason = sentence(explainUnknown(cell, 'ttlb', t));
  if (evidence.opaque === 0) return [lead, reason];
  return [lead, reason, t.components.allowTimings];
}
