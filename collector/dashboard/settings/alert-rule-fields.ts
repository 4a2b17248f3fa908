import { ALERT_RULE_DEFAULTS } from '../../../shared/settings/alert-defaults.ts';
import { SUMMARY_TIMES } from '../../../shared/vocabulary/time-names.ts';
import { CONNECTIONS, RESOURCE_TYPES, SCENARIOS } from '../../../shared/vocabulary/vocabulary.ts';
import { DIMENSION_LABELS, PHASE_LABELS, wordFor } from '../../analysis/text/words.ts';
import type { Json } from '../model/settings-diff.ts';
import type { SettingsPath } from '../model/settings-path.ts';
import { element } from '../render/element.ts';
import type { SectionContext } from './section.ts';
import { listOf, textOf } from './targets-section.ts';

type Rule = Readonly<Record<string, Json>>;

const TIME_LABELS: Readonly<Record<string, string>> = {
  ...PHASE_LABELS,
  ttfb: 'To the first byte',
  ttlb: 'To the last byte',
};

/** What a rule watches, in a few words. */
export function ruleNote(rule: Rule): string {
  const of = ['target', 'host', 'type', 'site'].flatMap((name) => textOf(rule[name]) || []).join(', ');
  const what = isAvailability(rule)
    ? `availability below ${percent(rule.availabilityBelow)}`
    : `${textOf(rule.statistic) || ALERT_RULE_DEFAULTS.statistic} ${wordFor(TIME_LABELS, textOf(rule.time) || ALERT_RULE_DEFAULTS.time).toLowerCase()} above ${String(rule.aboveMs ?? '…')} ms`;
  return of === '' ? what : `${what}, ${of}`;
}

/** The fields of one rule: what it watches, its filters, and its sensitivity. */
export function ruleFields(path: SettingsPath, rule: Rule, { editor, fields }: SectionContext): readonly HTMLElement[] {
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
        label: 'Watches',
        value: isAvailability(rule) ? 'availability' : 'time',
        options: [
          ['time', 'users’ times'],
          ['availability', 'availability from probes'],
        ],
        choose(kind) {
          // Read now: other fields may have been edited since this one was drawn.
          const { time, statistic, aboveMs, availabilityBelow, ...others } = editor.value(path) as Rule;
          editor.set(path, { ...others, ...(kind === 'time' ? { aboveMs: 1000 } : { availabilityBelow: 0.99 }) }, true);
        },
      }),
      ...(isAvailability(rule)
        ? [
            fields.number([...path, 'availabilityBelow'], {
              label: 'Alert when availability is below',
              hint: 'As a fraction: 0.99 is 99 %.',
              step: 'any',
              min: 0,
              max: 1,
            }),
          ]
        : [
            fields.choice([...path, 'statistic'], {
              label: 'Alert when the',
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
      label: 'Notify',
      options: webhooks,
      hint: 'None selected: all webhooks.',
    }),
    element(
      'details',
      { class: 'further', 'data-keep': true },
      element('summary', { 'data-focus': `more ${path.join(' ')}` }, 'Connections and sensitivity'),
      element(
        'div',
        { class: 'setting-row' },
        word('connection', CONNECTIONS),
        word('scenario', SCENARIOS),
        fields.number([...path, 'windowMinutes'], {
          label: 'Time window',
          unit: 'minutes',
          placeholder: String(ALERT_RULE_DEFAULTS.windowMinutes),
          min: 1,
          max: 1440,
        }),
        fields.number([...path, 'minSamples'], {
          label: 'Minimum',
          unit: 'samples',
          placeholder: String(ALERT_RULE_DEFAULTS.minSamples),
          min: 1,
        }),
      ),
      element(
        'div',
        { class: 'setting-row' },
        fields.number([...path, 'breaches'], {
          label: 'Fires after',
          unit: 'breaches',
          placeholder: String(ALERT_RULE_DEFAULTS.breaches),
          min: 1,
          max: 60,
        }),
        fields.number([...path, 'evaluations'], {
          label: 'in the last',
          unit: 'evaluations',
          placeholder: String(ALERT_RULE_DEFAULTS.evaluations),
          min: 1,
          max: 60,
        }),
        fields.number([...path, 'hysteresis'], {
          label: 'Resolve margin',
          placeholder: String(ALERT_RULE_DEFAULTS.hysteresis),
          step: 'any',
          min: 0,
          max: 0.9,
          hint: 'As a fraction: 0.1 resolves at 90 % of the limit.',
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
