import { RESOURCE_TYPES } from '../../../shared/vocabulary/vocabulary.ts';
import { Box } from '../components/box.tsx';
import { itemsOf, textOf } from '../model/settings-path.ts';
import { texts } from '../text/settings.ts';
import { t } from '../text/t.ts';
import { useEditor, useSetting } from './editor.ts';
import { LinesField, SelectField, TextField } from './fields.tsx';
import { AddButton, ItemList, RemoveButton } from './item-list.tsx';

const words = texts.targets;

export const TYPE_OPTIONS = [
  ['', texts.any],
  ...RESOURCE_TYPES.map((type) => [type, t.types[type] ?? type] as const),
] as const;

/** The apps to watch, with their path templates and exclusion rules. */
export function Targets() {
  return (
    <Box {...texts.sections.targets}>
      <ItemList
        name="targets"
        untitled={words.untitled}
        note={({ match }) => itemsOf(match).map(String).join(', ') || words.noPages}
        none={words.none}
        add={{ [words.add]: (freeId) => ({ id: freeId('app'), name: '', match: [] }) }}
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
        <TextField name="name" placeholder={words.namePlaceholder} />
        <TextField name="id" />
      </div>
      <LinesField name="match" required />
      <ExclusionRules />
      <details class="further">
        <summary>{words.further}</summary>
        <LinesField name="templateRules" />
        <LinesField name="serverTimingMetrics" rows={2} />
        <LinesField name="unlockTimings" rows={2} />
      </details>
    </>
  );
}

/** Rules for requests that are counted but not timed. */
function ExclusionRules() {
  const rules = itemsOf(useSetting('exclude').value);
  return (
    <fieldset class="group">
      <legend>{words.rules}</legend>
      <p class="quiet small">{words.rulesHint}</p>
      {rules.map((_, i) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a grid in every browser
        <div key={i} class="setting-row rule" role="group" aria-label={words.rule({ n: i + 1 })}>
          <TextField name={`exclude/${i}/path`} placeholder="/health/**" />
          <TextField name={`exclude/${i}/host`} placeholder={texts.any} />
          <SelectField name={`exclude/${i}/type`} options={TYPE_OPTIONS} />
          <RemoveButton name={`exclude/${i}`} label={words.removeRule({ n: i + 1 })} />
        </div>
      ))}
      <AddButton name={`exclude/${rules.length}`} value={{ path: '/' }} label={words.addRule} />
    </fieldset>
  );
}

/** The targets as choices of another setting. */
export function useTargetOptions(): readonly (readonly [string, string])[] {
  const targets = itemsOf(useEditor().value(['targets']));
  return targets.map(({ id, name }) => [textOf(id), textOf(name) || textOf(id)]);
}
