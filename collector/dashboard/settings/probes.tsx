import { DEFAULT_REQUESTS_PER_HOUR, requestsPerHourOf } from '../../../shared/probes/probe-budget.ts';
import { Box } from '../components/box.tsx';
import { type Item, itemsOf, textOf } from '../model/settings-path.ts';
import { texts } from '../text/settings.ts';
import { useEditor, useSetting } from './editor.ts';
import { CheckField, LinesField, NumberField, SelectField, TextField } from './fields.tsx';
import { AddButton, ItemList, OptionalPart, RemoveButton } from './item-list.tsx';
import { useTargetOptions } from './targets.tsx';

const words = texts.probes;

/** Scheduled requests from users' browsers. */
export function Probes() {
  return (
    <Box {...texts.sections.probes}>
      <OptionalPart name="probes" none={words.none} add={words.setUp} first={{ enabled: true, schedule: [] }}>
        <Schedule />
      </OptionalPart>
    </Box>
  );
}

function Schedule() {
  const schedule = itemsOf(useSetting('schedule').value);
  const [target] = itemsOf(useEditor().value(['targets']));
  const usual = { target: textOf(target?.id), everyMinutes: 60 };
  return (
    <>
      <div class="setting-row">
        <CheckField name="enabled" />
        <NumberField name="requestsPerHour" placeholder={DEFAULT_REQUESTS_PER_HOUR}>
          {words.budget({ needed: requestsPerHourOf(budgeted(schedule)) })}
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
    </>
  );
}

function budgeted(schedule: readonly Item[]): Parameters<typeof requestsPerHourOf>[0] {
  return schedule.map(({ everyMinutes, repetitions, steps }) => ({
    everyMinutes: Math.max(1, Number(everyMinutes) || 60),
    ...(typeof repetitions === 'number' ? { repetitions } : {}),
    ...(Array.isArray(steps) ? { steps } : {}),
  }));
}

function probeNote({ steps, url, everyMinutes }: Item): string {
  const minutes = String(everyMinutes ?? '…');
  return steps === undefined
    ? words.sequence({ url: textOf(url) || '…', minutes })
    : words.script({ steps: itemsOf(steps).length, minutes });
}

function ProbeFields() {
  const isSequence = useSetting('steps').value === undefined;
  return (
    <>
      <div class="setting-row">
        <TextField name="id" />
        <SelectField name="target" options={useTargetOptions()} />
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
  const count = itemsOf(useSetting('steps').value).length;
  return (
    <fieldset class="group">
      <legend>{words.steps}</legend>
      {Array.from({ length: count }, (_, i) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a grid in every browser
        <div key={i} class="setting-row rule" role="group" aria-label={words.step({ n: i + 1 })}>
          <TextField name={`steps/${i}/url`} />
          <TextField name={`steps/${i}/text`} placeholder={texts.noneSet} />
          <NumberField name={`steps/${i}/thresholdMs`} placeholder={texts.noneSet} />
          {count === 1 ? null : <RemoveButton name={`steps/${i}`} label={words.removeStep({ n: i + 1 })} />}
        </div>
      ))}
      <AddButton name={`steps/${count}`} value={{ url: 'https://' }} label={words.addStep} />
    </fieldset>
  );
}
