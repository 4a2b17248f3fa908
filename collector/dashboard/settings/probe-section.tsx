import { nameStep } from '../../../shared/journeys/name-step.ts';
import { readRecording } from '../../../shared/journeys/read-recording.ts';
import { stepsWithSecrets, withoutSecrets } from '../../../shared/journeys/secret-values.ts';
import { namesOfVariables } from '../../../shared/journeys/variables.ts';
import { asksPrivateContent } from '../../../shared/probes/private-content.ts';
import { countRequestsPerHour, DEFAULT_REQUESTS_PER_HOUR } from '../../../shared/probes/probe-budget.ts';
import type { Json } from '../model/settings-diff.ts';
import { type Item, toItems, toText } from '../model/settings-path.ts';
import { texts } from '../text/settings.ts';
import { useEditor, useItemOptions, useSetting } from './editor.ts';
import { CheckField, FileField, LinesField, NumberField, SelectField, TextField } from './fields.tsx';
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
          [words.addJourney]: (freeId) => ({ ...usual, id: freeId('journey'), recording: { title: '', steps: [] } }),
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
  return schedule.map(({ everyMinutes, repetitions, steps, recording }) => ({
    everyMinutes: Math.max(1, Number(everyMinutes) || 60),
    ...(typeof repetitions === 'number' ? { repetitions } : {}),
    ...(Array.isArray(steps) ? { steps } : {}),
    ...(recording === undefined ? {} : { steps: toSteps(recording) }),
  }));
}

/** Of a recording in any state. */
function toSteps(recording: Json | undefined): readonly Item[] {
  const [{ steps }] = toItems([recording ?? {}]) as [Item];
  return toItems(steps);
}

function probeNote({ steps, url, recording, everyMinutes }: Item): string {
  const minutes = String(everyMinutes ?? '…');
  if (recording !== undefined) return words.journey({ steps: toSteps(recording).length, minutes });
  return steps === undefined
    ? words.sequence({ url: toText(url) || '…', minutes })
    : words.script({ steps: toItems(steps).length, minutes });
}

function ProbeFields() {
  const isScript = useSetting('steps').value !== undefined;
  const isJourney = useSetting('recording').value !== undefined;
  const isSequence = !isScript && !isJourney;
  return (
    <>
      <NameField word={isJourney ? 'journey' : isScript ? 'script' : 'sequence'} />
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
      ) : isJourney ? (
        <FileField name="recording" accept=".json" read={readFile} />
      ) : (
        <Steps />
      )}
      <details class="further">
        <summary>{words.further}</summary>
        <LinesField name="sites" rows={2} />
        <div class="setting-row">
          <CheckField name="onlyWhenIdle" />
          <CheckField name="onlyOnPower" />
          {isJourney ? null : <CheckField name="wildcard" />}
          {isJourney ? null : <CheckField name="cookies" />}
        </div>
      </details>
    </>
  );
}

/** The recording of a file, without the secrets that it has in plain text, and its steps in words. */
async function readFile(file: File): Promise<{ readonly value: Json | null; readonly note: string }> {
  let document: unknown;
  try {
    document = JSON.parse((await file.text()).replace(/^\uFEFF/, ''));
  } catch {
    return { value: null, note: words.notJson };
  }
  const verdict = readRecording(document, null);
  if (!verdict.ok) {
    const lines = verdict.problems.map(({ step, path, message, hint }) => `${step ?? path}: ${message}. ${hint}`);
    return { value: null, note: lines.join('\n') };
  }
  const hidden = stepsWithSecrets(verdict.recording).length;
  const recording = withoutSecrets(verdict.recording);
  const names = namesOfVariables(recording);
  const steps = recording.steps.map((step, index) => `${index + 1}. ${nameStep(step)}`);
  const variables = names.length === 0 ? [] : [words.variables({ names: names.join(', '), hidden })];
  return { value: recording as unknown as Json, note: [...variables, ...steps].join('\n') };
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
