import {
  DEFAULT_MIN_RUNS,
  ALERT_RULE_DEFAULTS as DEFAULTS,
  EACH_JOURNEY,
} from '../../../shared/settings/alert-defaults.ts';
import { SUMMARY_TIMES } from '../../../shared/vocabulary/time-names.ts';
import { CONNECTIONS, SCENARIOS } from '../../../shared/vocabulary/vocabulary.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import type { Json } from '../model/settings-diff.ts';
import { type Item, itemName, toItems, toText } from '../model/settings-path.ts';
import { texts } from '../text/settings.ts';
import { t } from '../text/t.ts';
import { useEditor, useItemOptions, useSetting } from './editor.ts';
import { CheckField, LinesField, NumberField, SelectField, SeveralField, TextField } from './fields.tsx';
import { NameField } from './name-field.tsx';
import { SendTest } from './send-test.tsx';
import { TYPE_OPTIONS } from './targets.tsx';

const words = texts.alerts;

const TIME_LABELS: Readonly<Record<string, string>> = { ...t.phases, ...words.times };

const TIME_OPTIONS = [
  ['', words.times.ttlb],
  ...SUMMARY_TIMES.filter((time) => time !== DEFAULTS.time).map((time) => [time, TIME_LABELS[time] ?? time] as const),
] as const;

const orAny = (labels: Readonly<Record<string, string>>, values: readonly string[]) =>
  [['', texts.any], ...values.map((value) => [value, wordFor(labels, value)] as const)] as const;

const STATISTIC_OPTIONS = { '': words.statistics.median ?? '', p95: words.statistics.p95 ?? '' };

/** What a rule watches, in a few words. */
export function ruleNote(rule: Item, document: Json): string {
  const app = toText(rule.target);
  const of = [
    app === '' ? '' : itemName(document, ['targets'], app),
    ...['host', 'type', 'site'].map((name) => toText(rule[name])),
  ]
    .filter((part) => part !== '')
    .join(', ');
  const what = isAvailability(rule)
    ? words.availabilityNote({ below: percent(rule.availabilityBelow), journey: toText(rule.journey) })
    : words.timeNote({
        statistic: wordFor(words.statistics, toText(rule.statistic) || DEFAULTS.statistic),
        time: wordFor(TIME_LABELS, toText(rule.time) || DEFAULTS.time),
        above: String(rule.aboveMs ?? '…'),
      });
  return of === '' ? what : `${what}, ${of}`;
}

/** What a rule watches, its filters, and its sensitivity. */
export function AlertRuleFields() {
  const targets = useItemOptions(['targets']);
  const rule = useSetting().value as Item;
  return (
    <>
      <NameField word="alert" />
      <Watched />
      <div class="setting-row">
        <SelectField name="target" options={[['', texts.any], ...targets]} />
        <TextField name="host" placeholder={texts.any} />
        <SelectField name="type" options={TYPE_OPTIONS} />
        <TextField name="site" placeholder={texts.any} />
      </div>
      <Notified />
      <LinesField name="mailTo" rows={2} />
      {toItems(rule.mailTo).length === 0 ? null : (
        <SendTest to={{ rule: toText(rule.id) }} title={toText(rule.name) || toText(rule.id)} />
      )}
      <details class="further">
        <summary>{words.further}</summary>
        <div class="setting-row">
          <SelectField name="connection" options={orAny(t.connections, CONNECTIONS)} />
          <SelectField name="scenario" options={orAny({}, SCENARIOS)} />
          <NumberField name="windowMinutes" placeholder={DEFAULTS.windowMinutes} />
          <NumberField name="minSamples" placeholder={rule.journey ? DEFAULT_MIN_RUNS : DEFAULTS.minSamples} />
        </div>
        <div class="setting-row">
          <NumberField name="breaches" placeholder={DEFAULTS.breaches} />
          <NumberField name="evaluations" placeholder={DEFAULTS.evaluations} />
          <NumberField name="hysteresis" placeholder={DEFAULTS.hysteresis} />
        </div>
      </details>
    </>
  );
}

/** All webhooks, some of them, or none: an empty list in the settings. */
function Notified() {
  const webhooks = useItemOptions(['alerts', 'webhooks']);
  const { value, set } = useSetting('webhooks');
  if (webhooks.length === 0 && value === undefined) return null;
  const which = value === undefined ? 'all' : Array.isArray(value) && value.length === 0 ? 'none' : 'some';
  const first = webhooks.slice(0, 1).map(([id]) => id);
  const choose = (next: string) => set(next === 'all' ? undefined : next === 'none' ? [] : first);
  return (
    <>
      <SelectField
        name="webhooks"
        idSuffix="-which"
        text={{ label: words.notified }}
        value={which}
        options={words.whichWebhooks}
        choose={choose}
      />
      {which === 'some' ? <SeveralField name="webhooks" options={webhooks} /> : null}
    </>
  );
}

function Watched() {
  const { value, set } = useSetting();
  const rule = value as Item;
  const { time, statistic, aboveMs, availabilityBelow, journey, eachSite, ...others } = rule;
  const journeys = toItems(useEditor().value(['probes', 'schedule'])).filter(({ url }) => url === undefined);
  const named = journeys.map(({ id, name }) => [toText(id), toText(name) || toText(id)] as const);
  return (
    <div class="setting-row">
      <SelectField
        value={isAvailability(rule) ? 'availability' : 'time'}
        options={words.kinds}
        choose={(kind) => set({ ...others, ...(kind === 'time' ? { aboveMs: 1000 } : { availabilityBelow: 0.99 }) })}
      />
      {isAvailability(rule) ? (
        <>
          <NumberField name="availabilityBelow" />
          <SelectField name="journey" options={[['', words.noJourney], [EACH_JOURNEY, words.eachJourney], ...named]} />
          {journey === undefined && eachSite === undefined ? null : <CheckField name="eachSite" />}
        </>
      ) : (
        <>
          <SelectField name="statistic" options={STATISTIC_OPTIONS} />
          <SelectField name="time" options={TIME_OPTIONS} />
          <NumberField name="aboveMs" />
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
