import { ALERT_RULE_DEFAULTS } from '../../../shared/settings/alert-defaults.ts';
import { SUMMARY_TIMES } from '../../../shared/vocabulary/time-names.ts';
import { CONNECTIONS, RESOURCE_TYPES, SCENARIOS } from '../../../shared/vocabulary/vocabulary.ts';
import { DIMENSION_LABELS, PHASE_LABELS, wordFor } from '../../analysis/text/words.ts';
import type { Json } from '../model/settings-diff.ts';
import type { SettingsPath } from '../model/settings-path.ts';
import { element } from '../render/element.ts';
import type { SectionParts } from './section.ts';
import { listOf, textOf } from './targets-section.ts';

type Rule = Readonly<Record<string, Json>>;

const TIME_LABELS: Readonly<Record<string, string>> = {
  ...PHASE_LABELS,
  ttfb: 'To the first byte',
  ttlb: 'To the last byte',
};

/** In a few words what a rule watches. */
export function ruleNote(rule: Rule): string {
  const of = ['target', 'host', 'type', 'site'].flatMap((name) => textOf(rule[name]) || []).join(', ');
  const what = isAvailability(rule)
    ? `availability of probes below ${percent(rule.availabilityBelow)}`
    : `${textOf(rule.statistic) || ALERT_RULE_DEFAULTS.statistic} ${wordFor(TIME_LABELS, textOf(rule.time) || ALERT_RULE_DEFAULTS.time).toLowerCase()} above ${String(rule.aboveMs ?? '…')} ms`;
  return of === '' ? what : `${what}, ${of}`;
}

/** All of one rule: what it watches, of whom, and how sure it has to be. */
export function ruleFields(path: SettingsPath, rule: Rule, { editor, fields }: SectionParts): readonly HTMLElement[] {
  const targets = listOf(editor.value(['targets'])).map(
    ({ id, name }) => [textOf(id), textOf(name) || textOf(id)] as const,
  );
  const webhooks = listOf(editor.value(['alerts', 'webhooks'])).map(({ id }) => [textOf(id), textOf(id)] as const);
  const word = (name: 'type' | 'connection' | 'scenario', words: readonly string[]) =>
    fields.choice([...path, name], {
      label: DIMENSION_LABELS[name],
      options: [['', 'any'], ...words.map((one) => [one, one] as const)],
    });
  return [
    element(
      'div',
      { class: 'setting-row' },
      fields.text([...path, 'id'], { label: 'Id', placeholder: 'slow-erp' }),
      fields.pick(path, {
        label: 'It watches',
        value: isAvailability(rule) ? 'availability' : 'time',
        options: [
          ['time', 'a time of users'],
          ['availability', 'the availability of probes'],
        ],
        choose(kind) {
          // As it is by now: other fields were typed into since this one was drawn.
          const { time, statistic, aboveMs, availabilityBelow, ...others } = editor.value(path) as Rule;
          editor.set(path, { ...others, ...(kind === 'time' ? { aboveMs: 1000 } : { availabilityBelow: 0.99 }) }, true);
        },
      }),
      ...(isAvailability(rule)
        ? [
            fields.number([...path, 'availabilityBelow'], {
              label: 'Tell when less is reachable than',
              hint: 'A part of 1: 0.99 is 99 %.',
              step: 'any',
              min: 0,
              max: 1,
            }),
          ]
        : [
            fields.choice([...path, 'statistic'], {
              label: 'Tell when the',
              options: [
                ['', 'median'],
                ['p95', '95th percentile'],
              ],
            }),
            fields.choice([...path, 'time'], {
              label: 'of the time',
              options: [
                ['', TIME_LABELS.ttlb ?? ''],
                ...SUMMARY_TIMES.filter((time) => time !== ALERT_RULE_DEFAULTS.time).map(
                  (time) => [time, TIME_LABELS[time] ?? time] as const,
                ),
              ],
            }),
            fields.number([...path, 'aboveMs'], { label: 'is above', unit: 'ms', step: 'any', min: 0, max: 600_000 }),
          ]),
    ),
    element(
      'div',
      { class: 'setting-row' },
      fields.choice([...path, 'target'], { label: DIMENSION_LABELS.target, options: [['', 'any'], ...targets] }),
      fields.text([...path, 'host'], { label: DIMENSION_LABELS.host, placeholder: 'any' }),
      word('type', RESOURCE_TYPES),
      fields.text([...path, 'site'], { label: DIMENSION_LABELS.site, placeholder: 'any' }),
    ),
    fields.several([...path, 'webhooks'], {
      label: 'Whom it tells',
      options: webhooks,
      hint: 'None chosen: all of them.',
    }),
    element(
      'details',
      { class: 'further', 'data-keep': true },
      element('summary', { 'data-focus': `more ${path.join(' ')}` }, 'Which connections, and how sure it has to be'),
      element(
        'div',
        { class: 'setting-row' },
        word('connection', CONNECTIONS),
        word('scenario', SCENARIOS),
        fields.number([...path, 'windowMinutes'], {
          label: 'Each look at the last',
          unit: 'minutes',
          placeholder: String(ALERT_RULE_DEFAULTS.windowMinutes),
          min: 1,
          max: 1440,
        }),
        fields.number([...path, 'minSamples'], {
          label: 'At least',
          unit: 'samples',
          placeholder: String(ALERT_RULE_DEFAULTS.minSamples),
          min: 1,
        }),
      ),
      element(
        'div',
        { class: 'setting-row' },
        fields.number([...path, 'breaches'], {
          label: 'It goes on after',
          unit: 'looks beyond it',
          placeholder: String(ALERT_RULE_DEFAULTS.breaches),
          min: 1,
          max: 60,
        }),
        fields.number([...path, 'evaluations'], {
          label: 'of the last',
          unit: 'looks',
          placeholder: String(ALERT_RULE_DEFAULTS.evaluations),
          min: 1,
          max: 60,
        }),
        fields.number([...path, 'hysteresis'], {
          label: 'It goes off this part inside the limit',
          placeholder: String(ALERT_RULE_DEFAULTS.hysteresis),
          step: 'any',
          min: 0,
          max: 0.9,
          hint: '0.1: at 90 % of it.',
        }),
      ),
    ),
  ];
}

function isAvailability(rule: Rule): boolean {
  return rule.availabilityBelow !== undefined;
}

function percent(value: Json | undefined): string {
  return typeof value === 'number' ? `${Number((value * 100).toPrecision(6))} %` : '…';
}
