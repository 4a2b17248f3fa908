import { asksPrivateContent } from '../../../shared/probes/private-content.ts';
import { countRequestsPerHour, DEFAULT_REQUESTS_PER_HOUR } from '../../../shared/probes/probe-budget.ts';
import { type Item, toItems, toText } from '../model/settings-path.ts';
import { texts } from '../text/settings.ts';
import { useEditor, useItemOptions, useSetting } from './editor.ts';
import { CheckField, LinesField, NumberField, SelectField, TextField } from './fields.tsx';
import { ItemList, OptionalPart, Rows } from './item-list.tsx';
import { NameField } from './name-field.tsx';
import { Section } from './section.tsx';

const words = texts.probes;

/** Scheduled requests from users' browsers. */
export function Probes() {
  return (
    <Section name="probes">
      <OptionalPart name="probes" none={words.none} add={words.setUp} first={{ enabled: true, schedule: [] }}>
        <Schedule />
      </OptionalPart>
    </Section>
  );
}

function Schedule() {
  const schedule = toItems(useSetting('schedule').value);
  const [target] = toItems(useEditor().value(['targets']));
  const usual = { target: toText(target?.id), everyMinutes: 60 };
  return (
    <>
      <div class="setting-row">
        <CheckField name="enabled" />
        <NumberField name="requestsPerHour" placeholder={DEFAULT_REQUESTS_PER_HOUR}>
          {words.budget({ needed: countRequestsPerHour(budgeted(schedule)) })}
        </NumberField>
      </div>
      <ItemList
        name="schedule"
        untitled={words.untitled}
        note={probeNote}
        add={{
          [words.addSequence]: (freeId) => ({ ...usual, id: freeId('sequence'), url: 'https://' }),
          [words.addScript]: (freeId) => ({ ...usual, id: freeId('script'), steps: [{ url: 'https://' }] }),
        }}
      >
        <ProbeFields />
      </ItemList>
      <SwitchedOff schedule={schedule} />
    </>
  );
}

/** Stored by an earlier version, which accepted them: browsers do not get them. */
function SwitchedOff({ schedule }: { readonly schedule: readonly Item[] }) {
  const off = schedule.filter(({ cookies, steps }) =>
    asksPrivateContent({
      cookies: cookies === true,
      steps: toItems(steps).map(({ text }) => (text === undefined ? {} : { text: toText(text) })),
    }),
  );
  return <Notice text={words.off} about={off.map(({ id, name }) => toText(name) || toText(id))} />;
}

function Notice({ text, about }: { readonly text: string; readonly about: readonly string[] }) {
  if (about.length === 0) return null;
  return (
    <div class="notice" role="note">
      <p>
        {text} <code>{about.join(', ')}</code>
      </p>
    </div>
  );
}

function budgeted(schedule: readonly Item[]): Parameters<typeof countRequestsPerHour>[0] {
  return schedule.map(({ everyMinutes, repetitions, steps }) => ({
    everyMinutes: Math.max(1, Number(everyMinutes) || 60),
    ...(typeof repetitions === 'number' ? { repetitions } : {}),
    ...(Array.isArray(steps) ? { steps } : {}),
  }));
}

function probeNote({ steps, url, everyMinutes }: Item): string {
  const minutes = String(everyMinutes ?? '…');
  return steps === undefined
    ? words.sequence({ url: toText(url) || '…', minutes })
    : words.script({ steps: toItems(steps).length, minutes });
}

function ProbeFields() {
  const isSequence = useSetting('steps').value === undefined;
  return (
    <>
      <NameField word={isSequence ? 'sequence' : 'script'} />
      <div class="setting-row">
        <SelectField name="target" options={useItemOptions(['targets'])} />
        <NumberField name="everyMinutes" />
        <NumberField name="share" placeholder="1" />
      </div>
      {isSequence ? (
        <div class="setting-row">
          <TextField name="url" />
          <TextField name="otherUrl" placeholder={texts.sameAddress} />
          <NumberField name="repetitions" placeholder="5" />
        </div>
      ) : (
        <Steps />
      )}
      <details class="further">
        <summary>{words.further}</summary>
        <LinesField name="sites" rows={2} />
        <div class="setting-row">
          <CheckField name="onlyWhenIdle" />
          <CheckField name="onlyOnPower" />
          <CheckField name="wildcard" />
          <CheckField name="cookies" />
        </div>
      </details>
    </>
  );
}

function Steps() {
  return (
    <fieldset class="group">
      <legend>{words.steps}</legend>
      <Rows
        name="steps"
        first={{ url: 'https://' }}
        addLabel={words.addStep}
        required
        title={words.step}
        removeLabel={words.removeStep}
      >
        <TextField name="url" />
        <TextField name="text" placeholder={texts.noneSet} />
        <NumberField name="thresholdMs" placeholder={texts.noneSet} />
      </Rows>
    </fieldset>
  );
}
