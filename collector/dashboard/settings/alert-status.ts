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

/** State of each saved rule, and undelivered notifications. */
export function alertStatus(context: ViewContext, editor: Editor): StatusPanel {
  return statusPanel<AlertsAnswer>(context, {
    name: 'Alert status',
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
  const valueText = (rule: string, value: number | null) =>
    value === null ? 'too few samples' : shares.has(rule) ? formatShare(value) : `${formatMs(value)} ms`;
  return [
    dataTable({
      name: 'alerts',
      bare: true,
      level: 3,
      cell: ({ name }, row) =>
        name === 'state' && row.state === 'firing' ? element('span', { class: 'badge-warn' }, 'firing') : undefined,
      table: {
        title: 'Current status',
        columns: [
          column('rule', 'Rule', 'text'),
          column('state', 'State', 'text'),
          column('since', 'Since', 'text'),
          column('value', 'Last value', 'text'),
          column('samples', 'Samples', 'count'),
          column('at', 'Evaluated', 'text'),
        ],
        rows: rules.map(({ rule, on, since, value, samples, at }) => ({
          rule,
          state: on ? 'firing' : at === null ? 'not evaluated yet' : 'ok',
          since: since === null ? null : formatMoment(Date.parse(since)),
          // Null for viewers if small groups are folded.
          value: at === null || samples === null ? null : valueText(rule, value),
          samples,
          at: at === null ? null : formatMoment(Date.parse(at)),
        })),
        notes: deliveries.map(
          ({ webhook, rule, attempts, nextAt, error }) =>
            `A notification of ${rule} could not be delivered to ${webhook} in ${plural(attempts, 'attempt')}${error === null ? '' : `: ${error}`}. Next attempt at ${formatMoment(Date.parse(nextAt))}.`,
        ),
      },
    }),
  ];
}
