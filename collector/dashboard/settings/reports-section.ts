import { MAIL_SECURITY } from '../../../shared/settings/report-choices.ts';
import { button, element } from '../render/element.ts';
import { panelBox } from '../render/panel-box.ts';
import { addButton, itemList } from './list-section.ts';
import { reportFields, reportNote } from './report-fields.ts';
import { runReport } from './report-runs.ts';
import { whyNotSaved } from './saved.ts';
import { secretFields } from './secret-fields.ts';
import type { SectionContext } from './section.ts';
import { listOf, newId, textOf } from './targets-section.ts';

const SCHEDULE = ['reports', 'schedule'] as const;
const MAIL = ['reports', 'mail'] as const;
const INTRO = 'Reports that are generated on a schedule and delivered to a folder, a webhook, or by mail.';
const SECURITY_WORDS = { starttls: 'STARTTLS', implicit: 'TLS from the start', none: 'none (plain text)' } as const;

/** Scheduled reports, the mail server, and the recent runs. */
export function reportsSection(section: SectionContext): HTMLElement {
  const { editor, readOnly, opened, status, view } = section;
  if (editor.value(['reports']) === undefined) {
    return panelBox(
      'Scheduled reports',
      INTRO,
      element('p', { class: 'quiet' }, 'No scheduled reports are set up.'),
      readOnly ? null : addButton('Set up reports', () => editor.set(['reports'], { schedule: [] }, true)),
    );
  }
  const schedule = listOf(editor.value(SCHEDULE));
  return panelBox(
    'Scheduled reports',
    INTRO,
    itemList(
      'report',
      schedule.map((report, i) => ({
        title: textOf(report.id) || 'New report',
        note: reportNote(report),
        open: opened.has(`report ${i}`),
        remove: readOnly ? null : () => editor.set([...SCHEDULE, i], undefined, true),
        content: () => [
          ...reportFields([...SCHEDULE, i], report, section),
          readOnly
            ? null
            : runReport(view.client, textOf(report.id), () => whyNotSaved(editor, SCHEDULE, i), status.reports),
        ],
      })),
    ),
    readOnly
      ? null
      : addButton('Add a report', () => {
          opened.add(`report ${schedule.length}`);
          const id = newId('monthly', schedule);
          editor.set([...SCHEDULE, schedule.length], { id, cron: '0 6 1 * *', folder: id }, true);
          document.getElementById(`setting-reports-schedule-${schedule.length}-id`)?.focus();
        }),
    mailFields(section),
    status.reports.element,
  );
}

function mailFields({ editor, fields, readOnly }: SectionContext): HTMLElement {
  if (editor.value(MAIL) === undefined) {
    return element(
      'fieldset',
      { class: 'group' },
      element('legend', {}, 'Mail server'),
      element('p', { class: 'quiet' }, 'No mail server: reports cannot be sent by mail.'),
      readOnly ? null : addButton('Set up mail', () => editor.set(MAIL, { host: '', from: '' }, true)),
    );
  }
  return element(
    'fieldset',
    { class: 'group' },
    element('legend', {}, 'Mail server'),
    element(
      'div',
      { class: 'setting-row' },
      fields.text([...MAIL, 'host'], { label: 'SMTP host', placeholder: 'mail.example.com' }),
      fields.number([...MAIL, 'port'], { label: 'Port', placeholder: 'default', min: 1, max: 65_535 }),
      fields.choice([...MAIL, 'tls'], {
        label: 'Encryption',
        options: [
          ['', SECURITY_WORDS.starttls],
          ...MAIL_SECURITY.filter((one) => one !== 'starttls').map((one) => [one, SECURITY_WORDS[one]] as const),
        ],
        hint: 'If the server does not support it, no mail is sent.',
      }),
      fields.text([...MAIL, 'from'], { label: 'Sender', placeholder: 'lastbyte@example.com' }),
    ),
    element(
      'div',
      { class: 'setting-row' },
      fields.text([...MAIL, 'user'], { label: 'User', placeholder: 'none' }),
      ...secretFields({ editor, fields }, { path: MAIL, label: 'Password', plain: null, from: 'passwordFrom' }),
    ),
    readOnly
      ? null
      : element(
          'p',
          { class: 'actions' },
          button(
            { class: 'plain danger', 'data-focus': 'remove mail' },
            () => editor.set(MAIL, undefined, true),
            'Remove mail server',
          ),
        ),
  );
}
