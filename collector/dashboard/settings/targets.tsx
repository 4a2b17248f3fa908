import { RESOURCE_TYPES } from '../../../shared/vocabulary/vocabulary.ts';
import { Box } from '../components/box.tsx';
import { itemsOf, textOf } from '../model/settings-path.ts';
import { useEditor, useSetting } from './editor.ts';
import { LinesField, SelectField, TextField } from './fields.tsx';
import { AddButton, ItemList, RemoveButton } from './item-list.tsx';

/** The apps to watch, with their path templates and exclusion rules. */
export function Targets() {
  return (
    <Box title="Targets" intro="The apps to watch. Nothing outside these pages is collected.">
      <ItemList
        name="targets"
        untitled="New target"
        note={({ match }) => itemsOf(match).map(String).join(', ') || 'no pages yet'}
        none="No targets yet: enrolled browsers collect nothing."
        add={{ 'Add a target': (freeId) => ({ id: freeId('app'), name: '', match: [] }) }}
      >
        <TargetFields />
      </ItemList>
    </Box>
  );
}

function TargetFields() {
  return (
    <>
      <div class="setting-row">
        <TextField name="name" label="Name" placeholder="ERP" />
        <TextField name="id" label="Id" placeholder="erp">
          Part of every sample: do not change it once it is in use.
        </TextField>
      </div>
      <LinesField name="match" label="Pages (one match pattern per line)" required>
        Scheme, host and path: https://erp.example.com/*
      </LinesField>
      <ExclusionRules />
      <details class="further">
        <summary>Path templates, Server-Timing, hidden times</summary>
        <LinesField name="templateRules" label="Template rules (one per line)">
          {'{name} matches one segment, * one segment that is folded as usual, a final ** any number: /users/{user}/**'}
        </LinesField>
        <LinesField name="serverTimingMetrics" label="Server-Timing metrics to keep (one per line)" rows={2}>
          The server’s names, such as cpu or db.
        </LinesField>
        <LinesField name="unlockTimings" label="Hosts whose hidden times are unlocked (one per line)" rows={2}>
          For other hosts, browsers report little more than the total time. For hosts listed here they report all
          phases, also to this app’s own scripts, which could infer what was in a user’s cache. Browsers ask for
          permission to these hosts; rebuild the package.
        </LinesField>
      </details>
    </>
  );
}

/** Rules for requests that are counted but not timed. */
function ExclusionRules() {
  const rules = itemsOf(useSetting('exclude').value);
  return (
    <fieldset class="group">
      <legend>Exclusion rules</legend>
      <p class="quiet small">
        Requests that are counted but not timed, such as health checks and polling. A rule matches if all of its fields
        match.
      </p>
      {rules.map((_, i) => (
        <div key={i} class="setting-row rule">
          <TextField name={`exclude/${i}/path`} label={`Path of rule ${i + 1}`} placeholder="/health/**" />
          <TextField name={`exclude/${i}/host`} label={`Host of rule ${i + 1}`} placeholder="any" />
          <SelectField
            name={`exclude/${i}/type`}
            label={`Type of rule ${i + 1}`}
            options={[['', 'any'], ...RESOURCE_TYPES]}
          />
          <RemoveButton name={`exclude/${i}`} label={`Remove rule ${i + 1}`} />
        </div>
      ))}
      <AddButton name={`exclude/${rules.length}`} value={{ path: '/' }} label="Add a rule" />
    </fieldset>
  );
}

/** The targets as choices of another setting. */
export function useTargetOptions(): readonly (readonly [string, string])[] {
  const targets = itemsOf(useEditor().value(['targets']));
  return targets.map(({ id, name }) => [textOf(id), textOf(name) || textOf(id)]);
}
