import { DEFAULT_ALERT_SECONDS } from '../../../shared/settings/alert-defaults.ts';
import { column } from '../../analysis/tables/table-document.ts';
import { usePage } from '../app/page-context.ts';
import { Box } from '../components/box.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Panel } from '../components/panel.tsx';
import { itemsOf, textOf, valueAt } from '../model/settings-path.ts';
import { formatMs, formatShare, plural } from '../text/format.ts';
import { formatMoment } from '../text/moment.ts';
import { ActionLine, type ActionResult } from './action-line.tsx';
import { AlertRuleFields, ruleNote } from './alert-rule-fields.tsx';
import { useEditor, useSetting } from './editor.ts';
import { NumberField, TextField } from './fields.tsx';
import { ItemList, OptionalPart } from './item-list.tsx';
import { SecretField } from './secret-field.tsx';

/** Webhooks, the rules that notify them, and the state of the rules. */
export function Alerts() {
  return (
    <Box
      title="Alerts"
      intro="A rule watches users’ times or availability from probes, and notifies webhooks when a limit is crossed."
    >
      <OptionalPart name="alerts" none="No alerts are set up." add="Set up alerts" first={{ webhooks: [], rules: [] }}>
        <AlertStatus />
        <h3>Webhooks</h3>
        <ItemList
          name="webhooks"
          untitled="New webhook"
          note={({ url }) => textOf(url) || 'address stored outside the settings'}
          none="No webhooks: alerts cannot notify anyone."
          add={{ 'Add a webhook': (freeId) => ({ id: freeId('webhook'), url: 'https://' }) }}
        >
          <WebhookFields />
        </ItemList>
        <h3>Rules</h3>
        <ItemList
          name="rules"
          untitled="New rule"
          note={ruleNote}
          none="No rules yet."
          add={{ 'Add an alert': (freeId) => ({ id: freeId('slow'), statistic: 'p95', aboveMs: 1000 }) }}
        >
          <AlertRuleFields />
        </ItemList>
        <div class="setting-row">
          <NumberField
            name="everySeconds"
            label="Evaluate every"
            unit="s"
            placeholder={DEFAULT_ALERT_SECONDS}
            range={[10, 3600]}
          />
        </div>
      </OptionalPart>
    </Box>
  );
}

interface TestAnswer {
  readonly delivered: boolean;
  readonly status: number | null;
  readonly error: string | null;
}

function WebhookFields() {
  const { client } = usePage();
  const id = textOf(useSetting('id').value);
  async function test(): Promise<ActionResult> {
    const { delivered, status, error } = await client.post<TestAnswer>('/alerts/test', { webhook: id });
    if (delivered) return { good: true, text: `Delivered: status ${status}.` };
    const answered = status === null ? '' : ` (status ${status})`;
    return { good: false, text: `Not delivered${answered}: ${error ?? 'no reason given'}.` };
  }
  return (
    <>
      <div class="setting-row">
        <TextField name="id" label="Id" placeholder="chat" />
        <SecretField label="Address" plain="url" from="urlFrom" placeholder="https://hooks.example.com/in" />
        <SecretField label="Bearer token" from="bearerFrom" />
      </div>
      <ActionLine label="Send test" name={`Send test to ${id}`} doing="Sending …" act={test} />
    </>
  );
}

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
function AlertStatus() {
  const { client } = usePage();
  return (
    <Panel<AlertsAnswer> name="Alert status" shape="chart" query={client.query('/alerts')}>
      {(answer) => <StatusTable {...answer} />}
    </Panel>
  );
}

function StatusTable({ rules, deliveries }: AlertsAnswer) {
  const { base } = useEditor();
  if (rules.length === 0 && deliveries.length === 0) return null;
  const shares = new Set(
    itemsOf(valueAt(base.value.document, ['alerts', 'rules']))
      .filter(({ availabilityBelow }) => availabilityBelow !== undefined)
      .map(({ id }) => id),
  );
  const valueText = (rule: string, value: number | null) =>
    value === null ? 'too few samples' : shares.has(rule) ? formatShare(value) : `${formatMs(value)} ms`;
  return (
    <DataTable
      name="alerts"
      bare
      level={3}
      cell={({ name }, { state }) =>
        name === 'state' && state === 'firing' ? <span class="badge-warn">firing</span> : undefined
      }
      table={{
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
      }}
    />
  );
}
