import { ALERT_RULE_DEFAULTS as DEFAULTS } from '../../../shared/settings/alert-defaults.ts';
import { SUMMARY_TIMES } from '../../../shared/vocabulary/time-names.ts';
import { CONNECTIONS, RESOURCE_TYPES, SCENARIOS } from '../../../shared/vocabulary/vocabulary.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import type { Json } from '../model/settings-diff.ts';
import { type Item, itemsOf, textOf } from '../model/settings-path.ts';
import { t } from '../text/t.ts';
import { useEditor, useSetting } from './editor.ts';
import { NumberField, SelectField, SeveralField, TextField } from './fields.tsx';
import { useTargetOptions } from './targets.tsx';

const TIME_LABELS: Readonly<Record<string, string>> = {
  ...t.phases,
  ttfb: 'To the first byte',
  ttlb: 'To the last byte',
};

const TIME_OPTIONS = [
  ['', TIME_LABELS.ttlb ?? ''],
  ...SUMMARY_TIMES.filter((time) => time !== DEFAULTS.time).map((time) => [time, TIME_LABELS[time] ?? time] as const),
] as const;

/** What a rule watches, in a few words. */
export function ruleNote(rule: Item): string {
  const of = ['target', 'host', 'type', 'site'].flatMap((name) => textOf(rule[name]) || []).join(', ');
  const what = isAvailability(rule)
    ? `availability below ${percent(rule.availabilityBelow)}`
    : `${textOf(rule.statistic) || DEFAULTS.statistic} ${wordFor(TIME_LABELS, textOf(rule.time) || DEFAULTS.time).toLowerCase()} above ${String(rule.aboveMs ?? '…')} ms`;
  return of === '' ? what : `${what}, ${of}`;
}

/** What a rule watches, its filters, and its sensitivity. */
export function AlertRuleFields() {
  const targets = useTargetOptions();
  const webhooks = itemsOf(useEditor().value(['alerts', 'webhooks'])).map(({ id }) => textOf(id));
  return (
    <>
      <Watched />
      <div class="setting-row">
        <SelectField name="target" label={t.dimensions.target} options={[['', 'any'], ...targets]} />
        <TextField name="host" label={t.dimensions.host} placeholder="any" />
        <SelectField name="type" label={t.dimensions.type} options={[['', 'any'], ...RESOURCE_TYPES]} />
        <TextField name="site" label={t.dimensions.site} placeholder="any" />
      </div>
      <SeveralField name="webhooks" label="Notify" options={webhooks}>
        None selected: all webhooks.
      </SeveralField>
      <details class="further">
        <summary>Connections and sensitivity</summary>
        <div class="setting-row">
          <SelectField name="connection" label={t.dimensions.connection} options={[['', 'any'], ...CONNECTIONS]} />
          <SelectField name="scenario" label={t.dimensions.scenario} options={[['', 'any'], ...SCENARIOS]} />
          <NumberField
            name="windowMinutes"
            label="Time window"
            unit="minutes"
            placeholder={DEFAULTS.windowMinutes}
            range={[1, 1440]}
          />
          <NumberField name="minSamples" label="Minimum" unit="samples" placeholder={DEFAULTS.minSamples} range={[1]} />
        </div>
        <div class="setting-row">
          <NumberField
            name="breaches"
            label="Fires after"
            unit="breaches"
            placeholder={DEFAULTS.breaches}
            range={[1, 60]}
          />
          <NumberField
            name="evaluations"
            label="in the last"
            unit="evaluations"
            placeholder={DEFAULTS.evaluations}
            range={[1, 60]}
          />
          <NumberField
            name="hysteresis"
            label="Resolve margin"
            placeholder={DEFAULTS.hysteresis}
            step="any"
            range={[0, 0.9]}
          >
            As a fraction: 0.1 resolves at 90 % of the limit.
          </NumberField>
        </div>
      </details>
    </>
  );
}

function Watched() {
  const { value, set } = useSetting();
  const rule = value as Item;
  const { time, statistic, aboveMs, availabilityBelow, ...others } = rule;
  return (
    <div class="setting-row">
      <TextField name="id" label="Id" placeholder="slow-erp" />
      <SelectField
        label="Watches"
        value={isAvailability(rule) ? 'availability' : 'time'}
        options={{ time: 'users’ times', availability: 'availability from probes' }}
        choose={(kind) => set({ ...others, ...(kind === 'time' ? { aboveMs: 1000 } : { availabilityBelow: 0.99 }) })}
      />
      {isAvailability(rule) ? (
        <NumberField name="availabilityBelow" label="Alert when availability is below" step="any" range={[0, 1]}>
          As a fraction: 0.99 is 99 %.
        </NumberField>
      ) : (
        <>
          <SelectField name="statistic" label="Alert when the" options={{ '': 'median', p95: '95th percentile' }} />
          <SelectField name="time" label="of the time" options={TIME_OPTIONS} />
          <NumberField name="aboveMs" label="is above" unit="ms" step="any" range={[0, 600_000]} />
        </>
      )}
    </div>
  );
}

function isAvailability(rule: Item): boolean {
  return rule.availabilityBelow !== undefined;
}

function percent(value: Json | undefined): string {
  return typeof value === 'number' ? `${Number((value * 100).toPrecision(6))} %` : '…';
}
