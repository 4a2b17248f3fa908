import { FORMATS, REPORT_PERIODS, REPORT_VIEWS } from '../../../shared/settings/report-choices.ts';
import { DIMENSIONS } from '../../../shared/vocabulary/dimensions.ts';
import { DIMENSION_LABELS } from '../../analysis/text/words.ts';
import type { Json } from '../model/settings-diff.ts';
import type { SettingsPath } from '../model/settings-path.ts';
import { element } from '../render/element.ts';
import { secretFields } from './secret-fields.ts';
import type { SectionContext } from './section.ts';
import { textOf } from './targets-section.ts';

type Item = Readonly<Record<string, Json>>;
type Choices = readonly (readonly [string, string])[];

/** When a report is generated and where it is delivered, in a few words. */
export function reportNote(report: Item): string {
  const channels = [
    report.folder === undefined ? null : `folder ${textOf(report.folder)}`,
    report.webhook === undefined ? null : 'webhook',
    report.mailTo === undefined ? null : `mail to ${list(report.mailTo).join(', ')}`,
  ].filter((channel) => channel !== null);
  const when = `${textOf(report.cron)} ${textOf(report.zone) || 'UTC'}`;
  return `${textOf(report.view) || 'monthly'}, at ${when}, ${channels.length === 0 ? 'no delivery yet' : channels.join(', ')}`;
}

/** The fields of one scheduled report: schedule, content, counting rules, and delivery. */
export function reportFields(path: SettingsPath, report: Item, section: SectionContext): readonly HTMLElement[] {
  const { editor, fields } = section;
  const webhook = [...path, 'webhook'];
  return [
    element(
      'div',
      { class: 'setting-row' },
      fields.text([...path, 'id'], { label: 'Id', hint: 'Used in file names.' }),
      fields.text([...path, 'cron'], {
        label: 'Schedule',
        hint: 'Minute, hour, day, month, weekday: 0 6 1 * * is 06:00 on the first of each month.',
        placeholder: '0 6 1 * *',
      }),
      fields.text([...path, 'zone'], { label: 'Time zone', placeholder: 'UTC', hint: 'Such as Europe/Berlin.' }),
    ),
    element(
      'div',
      { class: 'setting-row' },
      fields.choice([...path, 'view'], { label: 'View', options: withDefault('monthly', REPORT_VIEWS) }),
      fields.choice([...path, 'period'], {
        label: 'Covers the last full',
        options: withDefault('month', REPORT_PERIODS),
      }),
      fields.choice([...path, 'lang'], {
        label: 'Language',
        options: [
          ['', 'English'],
          ['de', 'German'],
        ],
      }),
    ),
    fields.several([...path, 'formats'], {
      label: 'Formats',
      options: FORMATS.map((format) => [format, format.toUpperCase()] as const),
      hint: 'None selected: PDF.',
    }),
    element(
      'fieldset',
      { class: 'group' },
      element('legend', {}, 'Delivery: one or more channels'),
      element(
        'div',
        { class: 'setting-row' },
        fields.text([...path, 'folder'], {
          label: 'Folder',
          placeholder: 'none',
          hint: 'Inside the folder of lastbyte serve --reports.',
        }),
        fields.lines([...path, 'mailTo'], { label: 'Mail to (one address per line)', rows: 2 }),
      ),
      element(
        'div',
        { class: 'setting-row' },
        fields.pick(webhook, {
          label: 'Webhook',
          value: report.webhook === undefined ? '' : 'post',
          options: [
            ['', 'none'],
            ['post', 'post each file'],
          ],
          choose: (value) => editor.set(webhook, value === '' ? undefined : { url: 'https://' }, true),
        }),
        ...(report.webhook === undefined
          ? []
          : [
              ...secretFields(section, { path: webhook, label: 'Address', plain: 'url', from: 'urlFrom' }),
              ...secretFields(section, { path: webhook, label: 'Bearer token', plain: null, from: 'bearerFrom' }),
            ]),
      ),
    ),
    element(
      'details',
      { class: 'further', 'data-keep': true },
      element('summary', { 'data-focus': `counts ${path.join(' ')}` }, 'Counting rules'),
      element(
        'div',
        { class: 'setting-row' },
        fields.choice([...path, 'first'], {
          label: 'Primary statistic',
          options: withDefault('median', ['median', 'average']),
        }),
        fields.choice([...path, 'per'], {
          label: 'TLS and set-up per',
          options: withDefault('request', ['connection', 'request']),
        }),
        fields.text([...path, 'businessHours'], {
          label: 'Business hours',
          placeholder: 'all hours',
          hint: 'Such as Mon-Fri 08:00-18:00.',
        }),
        fields.text([...path, 'outliers'], {
          label: 'Outliers',
          placeholder: 'none',
          hint: 'none, tukey, or cap:10000 for longer than 10 s.',
        }),
        fields.number([...path, 'minN'], { label: 'Smallest group', unit: 'requests', placeholder: '30', min: 1 }),
      ),
    ),
    element(
      'details',
      { class: 'further', 'data-keep': true },
      element('summary', { 'data-focus': `filters ${path.join(' ')}` }, 'Filters'),
      element(
        'div',
        { class: 'setting-row' },
        ...DIMENSIONS.map((name) =>
          fields.lines([...path, 'filters', name], { label: DIMENSION_LABELS[name], placeholder: 'any', rows: 2 }),
        ),
      ),
    ),
  ];
}

/** The default comes first and removes the setting; an explicitly set default stays an option of its own. */
function withDefault(usual: string, all: readonly string[]): Choices {
  return [['', usual], ...all.filter((one) => one !== usual).map((one) => [one, one] as const)];
}

function list(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
