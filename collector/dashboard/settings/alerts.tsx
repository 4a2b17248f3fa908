import { DEFAULT_ALERT_SECONDS } from '../../../shared/settings/alert-defaults.ts';
import { labelledColumns } from '../../analysis/tables/table-document.ts';
import type { AlertsAnswer } from '../../http/schemas/control-answers.ts';
import { usePage } from '../app/page-context.ts';
import { DataTable } from '../components/data-table.tsx';
import { Panel } from '../components/panel.tsx';
import { itemName, toItems, toText, valueAt } from '../model/settings-path.ts';
import { formatMs, formatShare } from '../text/format.ts';
import { formatMoment } from '../text/moment.ts';
import { texts } from '../text/settings.ts';
import { AlertRuleFields, ruleNote } from './alert-rule-fields.tsx';
import { useEditor, useSetting } from './editor.ts';
import { NumberField, SelectField, TextField } from './fields.tsx';
import { ItemList, OptionalPart } from './item-list.tsx';
import { NameField } from './name-field.tsx';
import { SecretField } from './secret-field.tsx';
import { Section } from './section.tsx';
import { SendTest } from './send-test.tsx';

const words = texts.alerts;

/** Webhooks, the rules that notify them, and the state of the rules. */
export function Alerts() {
  return (
    <Section name="alerts">
      <OptionalPart name="alerts" none={words.none} add={words.setUp} first={{ webhooks: [], rules: [] }}>
        <AlertStatus />
        <h3>{words.webhooks}</h3>
        <ItemList
          name="webhooks"
          untitled={words.untitledWebhook}
          note={({ url }) => toText(url) || words.addressElsewhere}
          none={words.noWebhooks}
          add={{ [words.addWebhook]: (freeId) => ({ id: freeId('webhook'), url: 'https://' }) }}
        >
          <WebhookFields />
        </ItemList>
        <h3>{words.rules}</h3>
        <ItemList
          name="rules"
          untitled={words.untitledRule}
          note={ruleNote}
          none={words.noRules}
          add={{ [words.addRule]: (freeId) => ({ id: freeId('alert'), statistic: 'p95', aboveMs: 1000 }) }}
        >
          <AlertRuleFields />
        </ItemList>
        <div class="setting-row">
          <NumberField name="everySeconds" placeholder={DEFAULT_ALERT_SECONDS} />
          <TextField name="dashboardUrl" placeholder="https://lastbyte.example.com/" />
          <SelectField name="lang" options={{ '': texts.reports.languages.en, de: texts.reports.languages.de }} />
        </div>
      </OptionalPart>
    </Section>
  );
}

function WebhookFields() {
  const id = toText(useSetting('id').value);
  const name = toText(useSetting('name').value);
  return (
    <>
      <NameField word="webhook" />
      <div class="setting-row">
        <SecretField plain="url" from="urlFrom" placeholder="https://hooks.example.com/in" />
        <SecretField from="bearerFrom" />
      </div>
      <SendTest to={{ webhook: id }} title={name || id} />
    </>
  );
}

/** State of each saved rule, and undelivered notifications. */
function AlertStatus() {
  const { client } = usePage();
  return (
    <Panel<AlertsAnswer> name={words.statusPanel} shape="chart" query={client.query('/alerts')}>
      {(answer) => <StatusTable {...answer} />}
    </Panel>
  );
}

function StatusTable({ rules, deliveries }: AlertsAnswer) {
  const { base } = useEditor();
  if (rules.length === 0 && deliveries.length === 0) return null;
  const shares = new Set(
    toItems(valueAt(base.value.document, ['alerts', 'rules']))
      .filter(({ availabilityBelow }) => availabilityBelow !== undefined)
      .map(({ id }) => id),
  );
  const nameIn = (list: 'rules' | 'webhooks', id: string) => itemName(base.value.document, ['alerts', list], id);
  const valueText = (rule: string, value: number | null) =>
    value === null ? words.tooFewSamples : shares.has(rule) ? formatShare(value) : `${formatMs(value)} ms`;
  return (
    <DataTable
      name="alerts"
      bare
      level={3}
      cell={({ name }, { state }) =>
        name === 'state' && state === words.states.firing ? <span class="badge-warn">{state}</span> : undefined
      }
      table={{
        title: words.statusTitle,
        columns: labelledColumns(words.columns, { count: ['samples'] }),
        rows: rules.map(({ rule, on, since, value, samples, at }) => ({
          rule: nameIn('rules', rule),
          state: on ? words.states.firing : at === null ? words.states.never : words.states.ok,
          since: since === null ? null : formatMoment(Date.parse(since)),
          // Null for viewers if small groups are folded.
          value: at === null || samples === null ? null : valueText(rule, value),
          samples,
          at: at === null ? null : formatMoment(Date.parse(at)),
        })),
        notes: deliveries.map(({ rule, webhook, channel, nextAt, ...delivery }) =>
          words.undelivered({
            ...delivery,
            rule: nameIn('rules', rule),
            webhook: channel === 'mail' ? words.mail : nameIn('webhooks', webhook),
            next: formatMoment(Date.parse(nextAt)),
          }),
        ),
      }}
    />
  );
}
