import { DEFAULT_REQUESTS_PER_HOUR, requestsPerHourOf } from '../../../shared/probes/probe-budget.ts';
import { Box } from '../components/box.tsx';
import { type Item, itemsOf, textOf } from '../model/settings-path.ts';
import { plural } from '../text/format.ts';
import { useEditor, useSetting } from './editor.ts';
import { CheckField, LinesField, NumberField, SelectField, TextField } from './fields.tsx';
import { AddButton, ItemList, OptionalPart, RemoveButton } from './item-list.tsx';
import { useTargetOptions } from './targets.tsx';

/** Scheduled requests from users' browsers. */
export function Probes() {
  return (
    <Box
      title="Probes"
      intro="Scheduled requests from users’ browsers that measure the cost of HTTPS and the availability of the apps."
    >
      <OptionalPart
        name="probes"
        none="No probes are set up."
        add="Set up probes"
        first={{ enabled: true, schedule: [] }}
      >
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
        <CheckField name="enabled" label="Run probes">
          Turning this off stops all probes at each browser’s next settings poll, within five minutes.
        </CheckField>
        <NumberField
          name="requestsPerHour"
          label="Budget per browser"
          unit="requests per hour"
          placeholder={DEFAULT_REQUESTS_PER_HOUR}
          range={[1, 1000]}
        >
          {`The schedule needs up to ${requestsPerHourOf(budgeted(schedule))}.`}
        </NumberField>
      </div>
      <ItemList
        name="schedule"
        untitled="New probe"
        note={probeNote}
        add={{
          'Add a sequence': (freeId) => ({ ...usual, id: freeId('sequence'), url: 'https://' }),
          'Add a script': (freeId) => ({ ...usual, id: freeId('script'), steps: [{ url: 'https://' }] }),
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
  const what =
    steps === undefined ? `sequence for ${textOf(url) || '…'}` : `script with ${plural(itemsOf(steps).length, 'step')}`;
  return `${what}, every ${String(everyMinutes ?? '…')} min`;
}

function ProbeFields() {
  const isSequence = useSetting('steps').value === undefined;
  return (
    <>
      <div class="setting-row">
        <TextField name="id" label="Id">
          Sent to the server in the header X-Lastbyte-Probe.
        </TextField>
        <SelectField name="target" label="Target" options={useTargetOptions()} />
        <NumberField name="everyMinutes" label="Every" unit="minutes" range={[1, 1440]} />
        <NumberField name="share" label="Fraction of browsers" placeholder="1" step="any">
          1 is all, 0.02 is one in fifty.
        </NumberField>
      </div>
      {isSequence ? (
        <div class="setting-row">
          <TextField name="url" label="Address">
            A small file that never changes.
          </TextField>
          <TextField name="otherUrl" label="Address with the other scheme" placeholder="the same address" />
          <NumberField name="repetitions" label="Repetitions" placeholder="5" range={[1, 50]} />
        </div>
      ) : (
        <Steps />
      )}
      <details class="further">
        <summary>Where and when</summary>
        <LinesField name="sites" label="Only at these sites (one per line)" rows={2}>
          Empty: all sites.
        </LinesField>
        <div class="setting-row">
          <CheckField name="onlyWhenIdle" label="Only after a minute without keyboard or mouse input" />
          <CheckField name="onlyOnPower" label="Only on mains power" />
          <CheckField name="wildcard" label="All subdomains of the host reach the same server" />
          <CheckField name="cookies" label="Send the user’s cookies" />
        </div>
      </details>
    </>
  );
}

function Steps() {
  const count = itemsOf(useSetting('steps').value).length;
  return (
    <fieldset class="group">
      <legend>Steps, run in order until one fails</legend>
      {Array.from({ length: count }, (_, i) => (
        <div key={i} class="setting-row rule">
          <TextField name={`steps/${i}/url`} label={`Address of step ${i + 1}`} />
          <TextField name={`steps/${i}/text`} label={`Expected text in step ${i + 1}`} placeholder="none" />
          <NumberField
            name={`steps/${i}/thresholdMs`}
            label={`Threshold of step ${i + 1}`}
            unit="ms"
            placeholder="none"
          />
          {count === 1 ? null : <RemoveButton name={`steps/${i}`} label={`Remove step ${i + 1}`} />}
        </div>
      ))}
      <AddButton name={`steps/${count}`} value={{ url: 'https://' }} label="Add a step" />
    </fieldset>
  );
}
