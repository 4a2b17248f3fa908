import { DEFAULT_ALERT_SECONDS } from '../../../shared/settings/alert-defaults.ts';
import { element } from '../render/element.ts';
import { panelBox } from '../render/panel-box.ts';
import { ruleFields, ruleNote } from './alert-rule-fields.ts';
import { addButton, itemList } from './list-section.ts';
import { whyNotSaved } from './saved.ts';
import { secretFields } from './secret-fields.ts';
import type { SectionContext } from './section.ts';
import { listOf, newId, textOf } from './targets-section.ts';
import { testWebhook } from './test-webhook.ts';

const WEBHOOKS = ['alerts', 'webhooks'] as const;
const RULES = ['alerts', 'rules'] as const;
const INTRO = 'A rule watches users’ times or availability from probes, and notifies webhooks when a limit is crossed.';

/** Webhooks, the rules that notify them, and the state of the rules. */
export function alertsSection(section: SectionContext): HTMLElement {
  const { editor, fields, readOnly, opened, status } = section;
  if (editor.value(['alerts']) === undefined) {
    return panelBox(
      'Alerts',
      INTRO,
      element('p', { class: 'quiet' }, 'No alerts are set up.'),
      readOnly ? null : addButton('Set up alerts', () => editor.set(['alerts'], { webhooks: [], rules: [] }, true)),
    );
  }
  const webhooks = listOf(editor.value(WEBHOOKS));
  const rules = listOf(editor.value(RULES));
  return panelBox(
    'Alerts',
    INTRO,
    status.alerts.element,
    element('h3', {}, 'Webhooks'),
    webhooks.length === 0 ? element('p', { class: 'quiet' }, 'No webhooks: alerts cannot notify anyone.') : null,
    itemList(
      'webhook',
      webhooks.map((webhook, i) => {
        const path = [...WEBHOOKS, i] as const;
        const id = textOf(webhook.id);
        return {
          title: id || 'New webhook',
          note: textOf(webhook.url) || 'address stored outside the settings',
          open: opened.has(`webhook ${i}`),
          remove: readOnly ? null : () => editor.set(path, undefined, true),
          content: () => [
            element(
              'div',
              { class: 'setting-row' },
              fields.text([...path, 'id'], { label: 'Id', placeholder: 'chat' }),
              ...secretFields(section, {
                path,
                label: 'Address',
                plain: 'url',
                from: 'urlFrom',
                placeholder: 'https://hooks.example.com/in',
              }),
              ...secretFields(section, { path, label: 'Bearer token', plain: null, from: 'bearerFrom' }),
            ),
            readOnly ? null : testWebhook(section.view.client, id, () => whyNotSaved(editor, WEBHOOKS, i)),
          ],
        };
      }),
    ),
    readOnly
      ? null
      : addButton('Add a webhook', () => {
          opened.add(`webhook ${webhooks.length}`);
          editor.set([...WEBHOOKS, webhooks.length], { id: newId('webhook', webhooks), url: 'https://' }, true);
          document.getElementById(`setting-alerts-webhooks-${webhooks.length}-id`)?.focus();
        }),
    element('h3', {}, 'Rules'),
    rules.length === 0 ? element('p', { class: 'quiet' }, 'No rules yet.') : null,
    itemList(
      'alert',
      rules.map((rule, i) => ({
        title: textOf(rule.id) || 'New rule',
        note: ruleNote(rule),
        open: opened.has(`alert ${i}`),
        remove: readOnly ? null : () => editor.set([...RULES, i], undefined, true),
        content: () => ruleFields([...RULES, i], rule, section),
      })),
    ),
    readOnly
      ? null
      : addButton('Add an alert', () => {
          opened.add(`alert ${rules.length}`);
          editor.set([...RULES, rules.length], { id: newId('slow', rules), statistic: 'p95', aboveMs: 1000 }, true);
          document.getElementById(`setting-alerts-rules-${rules.length}-id`)?.focus();
        }),
    element(
      'div',
      { class: 'setting-row' },
      fields.number(['alerts', 'everySeconds'], {
        label: 'Evaluate every',
        unit: 's',
        placeholder: String(DEFAULT_ALERT_SECONDS),
        min: 10,
        max: 3600,
      }),
    ),
  );
}
