import { plural } from '../../analysis/text/format.ts';
import { describeError } from '../api/describe-error.ts';
import { settingsDiff } from '../model/settings-diff.ts';
import { button, element } from '../render/element.ts';
import { replaceKeepingFocus } from '../render/keep-focus.ts';
import { viewHead } from '../render/panel-box.ts';
import type { ViewContext } from '../render/view.ts';
import { alertStatus } from './alert-status.ts';
import { alertsSection } from './alerts-section.ts';
import { dataSection } from './data-section.ts';
import type { Editor } from './editor.ts';
import { createFields, type Fields } from './fields.ts';
import { historySection } from './history-section.ts';
import { jsonSection } from './json-section.ts';
import { keysSection } from './keys-section.ts';
import { probesSection } from './probes-section.ts';
import { reportRuns } from './report-runs.ts';
import { reportsSection } from './reports-section.ts';
import { openReview } from './review.ts';
import { targetsSection } from './targets-section.ts';

/** The whole page: form, keys, history, and a bar while there are unsaved changes. */
export function settingsForm(editor: Editor, context: ViewContext): readonly Node[] {
  const { role, client, announce } = context;
  const readOnly = role !== 'admin';
  const form = element('div', { class: 'settings-form' });
  const rest = element('div', { class: 'settings-form' });
  const bar = element('div', { class: 'save-bar', role: 'region', 'aria-label': 'Unsaved changes' });
  const opened = new Set<string>();
  const status = { alerts: alertStatus(context, editor), reports: reportRuns(context) };
  let fields: Fields = createFields(editor, readOnly);

  function draw(): void {
    for (const item of form.querySelectorAll<HTMLElement>('details.item[open] > summary')) {
      if (item.dataset.focus !== undefined) opened.add(item.dataset.focus);
    }
    fields = createFields(editor, readOnly);
    const section = { editor, fields, readOnly, opened, view: context, status };
    replaceKeepingFocus(
      form,
      part('targets', targetsSection(section)),
      part('probes', probesSection(section)),
      part('alerts', alertsSection(section)),
      part('reports', reportsSection(section)),
      part('data', dataSection(section)),
      part('json', jsonSection(section)),
    );
    opened.clear();
    show();
  }

  function show(): void {
    fields.show(editor.problems);
    drawBar();
  }

  function drawBar(): void {
    bar.hidden = !editor.changed;
    if (!editor.changed) {
      bar.replaceChildren();
      return;
    }
    const changes = plural(settingsDiff(editor.base.document, editor.draft).length, 'unsaved change');
    const others = fields.unplaced(editor.problems);
    const state = editor.problems.length === 0 ? '' : ` · ${plural(editor.problems.length, 'error')}`;
    replaceKeepingFocus(
      bar,
      element(
        'p',
        { role: 'status' },
        element('strong', {}, changes),
        element('span', { class: editor.problems.length > 0 ? 'problem' : 'quiet' }, state),
        ...others.map(({ path, message, hint }) =>
          element('span', { class: 'problem small block' }, `${path} ${message}. ${hint}`),
        ),
      ),
      element(
        'p',
        { class: 'actions' },
        button({ class: 'primary', 'data-focus': 'review' }, () => void review(), 'Review and save'),
        button({ 'data-focus': 'discard' }, () => editor.replace(editor.base.document), 'Discard'),
      ),
    );
  }

  async function review(): Promise<void> {
    try {
      if ((await editor.check()).length > 0) return showErrors();
    } catch (error) {
      announce(describeError(error));
      bar.querySelector('.quiet, .problem')?.replaceChildren(` · ${describeError(error)}`);
      return;
    }
    openReview({ editor, client, saved, showErrors });
  }

  function showErrors(): void {
    announce(`${plural(editor.problems.length, 'error')}: fix before saving`);
    if (!fields.focusFirst(editor.problems)) bar.scrollIntoView({ block: 'end' });
  }

  function saved(): void {
    announce('Saved. Browsers apply the changes at their next poll, within five minutes.');
    status.alerts.refresh();
    status.reports.refresh();
    drawRest();
  }

  function drawRest(): void {
    rest.replaceChildren(
      ...(readOnly ? [] : [part('keys', keysSection(context))]),
      part(
        'history',
        historySection(context, {
          restore: readOnly
            ? null
            : (document) => {
                editor.replace(document);
                if (editor.changed) void review();
                else announce('These settings are already current');
              },
        }),
      ),
    );
  }

  editor.listen({ changed: show, reshaped: draw });
  draw();
  drawRest();
  const lead = readOnly
    ? 'What is measured, and how. Only administrators can change settings.'
    : 'What is measured, and how. Changes take effect when you save them.';
  return [viewHead('Settings', lead), form, rest, bar];
}

function part(name: string, made: HTMLElement): HTMLElement {
  made.dataset.part = name;
  return made;
}
