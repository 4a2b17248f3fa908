import { column } from '../../analysis/tables/table-document.ts';
import { formatMs, formatShare, plural } from '../../analysis/text/format.ts';
import { valueAt } from '../model/settings-path.ts';
import { dataTable } from '../render/data-table.ts';
import { element } from '../render/element.ts';
import type { ViewContext } from '../render/view.ts';
import { formatMoment } from '../state/time-range.ts';
import type { Editor } from './editor.ts';
import { type StatusPanel, statusPanel } from './status-panel.ts';
import { listOf } from './targets-section.ts';

interface AlertsAnswer {
  readonly rules: readonly {
    readonly rule: string;
    readonly on: boolean;
    readonly since: string | null;
    readonly value: number | null;
    readonly samples: number | null;
    readonly at: string | null;
  }[];
  readonly deliveries: readonly {
    readonly webhook: string;
    readonly rule: string;
    readonly attempts: number;
    readonly nextAt: string;
    readonly error: string | null;
  }[];
}

/** How each saved rule stands, and which messages have not arrived yet. */
export function alertStatus(context: ViewContext, editor: Editor): StatusPanel {
  return statusPanel<AlertsAnswer>(context, {
    name: 'How the alerts stand',
    shape: 'chart',
    read: (signal) => context.client.read('/alerts', signal),
    render: (answer) => draw(answer, editor),
  });
}

function draw({ rules, deliveries }: AlertsAnswer, editor: Editor): readonly HTMLElement[] {
  if (rules.length === 0 && deliveries.length === 0) return [];
  const shares = new Set(
    listOf(valueAt(editor.base.document, ['alerts', 'rules']))
      .filter(({ availabilityBelow }) => availabilityBelow !== undefined)
      .map(({ id }) => id),
  );
  const told = (rule: string, value: number | null) =>
    value === null ? 'too few samples' : shares.has(rule) ? formatShare(value) : `${formatMs(value)} ms`;
  return [
    dataTable({
      name: 'alerts',
      bare: true,
      level: 3,
      cell: ({ name }, row) =>
        name === 'state' && row.state === 'firing' ? element('span', { class: 'badge-warn' }, 'firing') : undefined,
      table: {
        title: 'How they stand',
        columns: [
          column('rule', 'Rule', 'text'),
          column('state', 'State', 'text'),
          column('since', 'Since', 'text'),
          column('value', 'At the last look', 'text'),
          column('samples', 'Samples', 'count'),
          column('at', 'Looked at', 'text'),
        ],
        rows: rules.map(({ rule, on, since, value, samples, at }) => ({
          rule,
          state: on ? 'firing' : at === null ? 'not looked at yet' : 'quiet',
          since: since === null ? null : formatMoment(Date.parse(since)),
          // Viewers are told neither where small groups are folded.
          value: at === null || samples === null ? null : told(rule, value),
          samples,
          at: at === null ? null : formatMoment(Date.parse(at)),
        })),
        notes: deliveries.map(
          ({ webhook, rule, attempts, nextAt, error }) =>
            `A message of ${rule} has not reached ${webhook} after ${plural(attempts, 'attempt')}${error === null ? '' : `: ${error}`}. Next at ${formatMoment(Date.parse(nextAt))}.`,
        ),
      },
    }),
  ];
}
