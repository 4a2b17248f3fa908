import { DEFAULT_REQUESTS_PER_HOUR, requestsPerHourOf } from '../../../shared/probes/probe-budget.ts';
import { plural } from '../../analysis/text/format.ts';
import type { Json } from '../model/settings-diff.ts';
import { button, element } from '../render/element.ts';
import { panelBox } from '../render/panel-box.ts';
import { addButton, itemList } from './list-section.ts';
import type { SectionContext } from './section.ts';
import { listOf, newId, textOf } from './targets-section.ts';

const SCHEDULE = ['probes', 'schedule'] as const;
const INTRO =
  'Scheduled requests from users’ browsers that measure the cost of HTTPS and the availability of the apps.';

/** Scheduled requests from users' browsers. */
export function probesSection(section: SectionContext): HTMLElement {
  const { editor, fields, readOnly, opened } = section;
  const probes = editor.value(['probes']);
  const schedule = listOf(editor.value(SCHEDULE));
  const [firstTarget] = listOf(editor.value(['targets']));
  if (probes === undefined) {
    return panelBox(
      'Probes',
      INTRO,
      element('p', { class: 'quiet' }, 'No probes are set up.'),
      readOnly ? null : addButton('Set up probes', () => editor.set(['probes'], { enabled: true, schedule: [] }, true)),
    );
  }
  const add = (probe: Record<string, Json>) => {
    opened.add(`probe ${schedule.length}`);
    editor.set([...SCHEDULE, schedule.length], { target: textOf(firstTarget?.id), everyMinutes: 60, ...probe }, true);
    document.getElementById(`setting-probes-schedule-${schedule.length}-id`)?.focus();
  };
  return panelBox(
    'Probes',
    INTRO,
    element(
      'div',
      { class: 'setting-row' },
      fields.check(['probes', 'enabled'], {
        label: 'Run probes',
        hint: 'Turning this off stops all probes at each browser’s next settings poll, within five minutes.',
      }),
      fields.number(['probes', 'requestsPerHour'], {
        label: 'Budget per browser',
        unit: 'requests per hour',
        placeholder: String(DEFAULT_REQUESTS_PER_HOUR),
        hint: `The schedule needs up to ${requestsPerHourOf(budgeted(schedule))}.`,
        min: 1,
        max: 1000,
      }),
    ),
    itemList(
      'probe',
      schedule.map((probe, i) => ({
        title: textOf(probe.id) || 'New probe',
        note: `${probe.steps === undefined ? `sequence for ${textOf(probe.url) || '…'}` : `script with ${plural(listOf(probe.steps).length, 'step')}`}, every ${String(probe.everyMinutes ?? '…')} min`,
        open: opened.has(`probe ${i}`),
        remove: readOnly ? null : () => editor.set([...SCHEDULE, i], undefined, true),
        content: () => probeFields(i, probe, section),
      })),
    ),
    readOnly
      ? null
      : element(
          'div',
          { class: 'actions' },
          addButton('Add a sequence', () => add({ id: newId('sequence', schedule), url: 'https://' })),
          addButton('Add a script', () => add({ id: newId('script', schedule), steps: [{ url: 'https://' }] })),
        ),
  );
}

function budgeted(schedule: ReturnType<typeof listOf>): Parameters<typeof requestsPerHourOf>[0] {
  return schedule.map(({ everyMinutes, repetitions, steps }) => ({
    everyMinutes: Math.max(1, Number(everyMinutes) || 60),
    ...(typeof repetitions === 'number' ? { repetitions } : {}),
    ...(Array.isArray(steps) ? { steps } : {}),
  }));
}

function probeFields(
  i: number,
  probe: ReturnType<typeof listOf>[number],
  { editor, fields, readOnly }: SectionContext,
) {
  const path = [...SCHEDULE, i] as const;
  const targets = listOf(editor.value(['targets'])).map(
    ({ id, name }) => [textOf(id), textOf(name) || textOf(id)] as const,
  );
  const steps = listOf(probe.steps);
  const isSequence = probe.steps === undefined;
  return [
    element(
      'div',
      { class: 'setting-row' },
      fields.text([...path, 'id'], { label: 'Id', hint: 'Sent to the server in the header X-Lastbyte-Probe.' }),
      fields.choice([...path, 'target'], { label: 'Target', options: targets }),
      fields.number([...path, 'everyMinutes'], { label: 'Every', unit: 'minutes', min: 1, max: 1440 }),
      fields.number([...path, 'share'], {
        label: 'Fraction of browsers',
        hint: '1 is all, 0.02 is one in fifty.',
        placeholder: '1',
        step: 'any',
      }),
    ),
    ...(isSequence
      ? [
          element(
            'div',
            { class: 'setting-row' },
            fields.text([...path, 'url'], { label: 'Address', hint: 'A small file that never changes.' }),
            fields.text([...path, 'otherUrl'], {
              label: 'Address with the other scheme',
              placeholder: 'the same address',
            }),
            fields.number([...path, 'repetitions'], { label: 'Repetitions', placeholder: '5', min: 1, max: 50 }),
          ),
        ]
      : [
          element(
            'fieldset',
            { class: 'group' },
            element('legend', {}, 'Steps, run in order until one fails'),
            ...steps.map((_, step) =>
              element(
                'div',
                { class: 'setting-row rule' },
                fields.text([...path, 'steps', step, 'url'], { label: `Address of step ${step + 1}` }),
                fields.text([...path, 'steps', step, 'text'], {
                  label: `Expected text in step ${step + 1}`,
                  placeholder: 'none',
                }),
                fields.number([...path, 'steps', step, 'thresholdMs'], {
                  label: `Threshold of step ${step + 1}`,
                  unit: 'ms',
                  placeholder: 'none',
                }),
                readOnly || steps.length === 1
                  ? null
                  : button(
                      {
                        class: 'plain danger',
                        'aria-label': `Remove step ${step + 1}`,
                        'data-focus': `remove step ${i} ${step}`,
                      },
                      () => editor.set([...path, 'steps', step], undefined, true),
                      'Remove',
                    ),
              ),
            ),
            readOnly
              ? null
              : addButton('Add a step', () => editor.set([...path, 'steps', steps.length], { url: 'https://' }, true)),
          ),
        ]),
    element(
      'details',
      { class: 'further', 'data-keep': true },
      element('summary', { 'data-focus': `more probe ${i}` }, 'Where and when'),
      fields.lines([...path, 'sites'], {
        label: 'Only at these sites (one per line)',
        hint: 'Empty: all sites.',
        rows: 2,
      }),
      element(
        'div',
        { class: 'setting-row' },
        fields.check([...path, 'onlyWhenIdle'], { label: 'Only after a minute without keyboard or mouse input' }),
        fields.check([...path, 'onlyOnPower'], { label: 'Only on mains power' }),
        fields.check([...path, 'wildcard'], { label: 'All subdomains of the host reach the same server' }),
        fields.check([...path, 'cookies'], { label: 'Send the user’s cookies' }),
      ),
    ),
  ];
}
