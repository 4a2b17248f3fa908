import { useCallback } from 'preact/hooks';
import type { SummaryCell, SummaryDocument } from '../../analysis/summary/summary-document.ts';
import { usePage } from '../app/page-context.ts';
import { useAppNames } from '../app/use-app-names.ts';
import { Finding } from '../components/finding.tsx';
import { Panel } from '../components/panel.tsx';
import { type Grouping, rowDimensions } from '../model/groupings.ts';
import { ofWhat } from '../model/of-what.ts';
import { headlineCell } from '../model/overview-row.ts';
import { topQuery, viewQuestion } from '../model/summary-queries.ts';
import { valueLabel } from '../model/value-label.ts';
import { t } from '../text/t.ts';

interface HeadlineProps {
  readonly grouping: Grouping;
}

/** What users waited for longest, where nothing stands out. */
export function Headline({ grouping }: HeadlineProps) {
  const draw = useCallback(
    ({ cells, method }: SummaryDocument) => {
      const cell = headlineCell(cells);
      return cell === null ? null : <Longest cell={cell} method={method} grouping={grouping} />;
    },
    [grouping],
  );
  return (
    <Panel<SummaryDocument>
      name={t.overview.findingHeading(null)}
      shape="chart"
      query={viewQuestion(usePage(), 'summary', {
        users: true,
        by: rowDimensions(grouping),
        extra: `${topQuery(1)}&include=httpsCost`,
      })}
    >
      {draw}
    </Panel>
  );
}

interface LongestProps extends HeadlineProps, Pick<SummaryDocument, 'method'> {
  readonly cell: SummaryCell;
}

/** The group is named above the sentence, which names the host and type. */
function Longest({ cell, method, grouping }: LongestProps) {
  const names = useAppNames();
  const { host, type } = cell;
  const group = grouping === 'host' || grouping === 'type' ? null : valueLabel(grouping, cell[grouping], names);
  const { [grouping]: _group, ...others } = cell;
  const subject = { ...others, host, type } as SummaryCell;
  return <Finding cell={subject} heading={t.overview.findingHeading(group)} of={ofWhat([group, host, type], method)} />;
}
