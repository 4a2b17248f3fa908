import { RESOURCE_TYPES } from '../../../shared/vocabulary/vocabulary.ts';
import { toItems } from '../model/settings-path.ts';
import { texts } from '../text/settings.ts';
import { t } from '../text/t.ts';
import { useEditor, useSetting } from './editor.ts';
import { LinesField, SelectField, TextField } from './fields.tsx';
import { ItemList, Rows } from './item-list.tsx';
import { NameField } from './name-field.tsx';
import { PackageAgain } from './package-again.tsx';
import { Section } from './section.tsx';

const words = texts.targets;

export const TYPE_OPTIONS = [
  ['', texts.any],
  ...RESOURCE_TYPES.map((type) => [type, t.types[type] ?? type] as const),
] as const;

/** The apps to watch, with their path templates and exclusion rules. */
export function Targets() {
  const { saved } = useEditor();
  return (
    <Section name="targets">
      {saved.value === null ? <PackageAgain /> : null}
      <ItemList
        name="targets"
        untitled={words.untitled}
        note={({ match }) => toItems(match).map(String).join(', ') || words.noPages}
        none={words.none}
        add={{ [words.add]: (freeId) => ({ id: freeId('app'), match: [] }) }}
      >
        <TargetFields />
      </ItemList>
    </Section>
  );
}

function TargetFields() {
  return (
    <>
      <NameField word="app" placeholder={words.namePlaceholder} />
      <LinesField name="match" required />
      <WholeSites />
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

/** Offers the whole site for what was entered as a host or the address of a page. */
function WholeSites() {
  const editor = useEditor();
  const { path, value, set } = useSetting('match');
  const lines = Array.isArray(value) && editor.wasLeft(path) ? value.map(String) : [];
  return lines.map((line) => {
    const site = wholeSite(line);
    return site === null ? null : (
      <p key={line} class="small">
        {isPage(line) ? `${words.onlyThisPage({ line })} ` : ''}
        <button type="button" class="plain" onClick={() => set(lines.map((one) => (one === line ? site : one)))}>
          {words.wholeSite({ site })}
        </button>
      </p>
    );
  });
}

/**
 * The pattern for the whole site of an address, which was probably meant: the address of a page matches only that page, and
 * a host by itself is no pattern. Null for a pattern with a `*`, and for what is no address.
 */
export function wholeSite(line: string): string | null {
  if (/[*\s]/.test(line)) return null;
  const address = line.includes('://') ? line : `https://${line}`;
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return null;
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}/*`;
}

/** Whether it is an address with a path, and so a valid pattern for a single page. */
export function isPage(line: string): boolean {
  return /^https?:\/\/[^/]+\//i.test(line);
}

/** Rules for requests that are counted but not timed. */
function ExclusionRules() {
  return (
    <fieldset class="group">
      <legend>{words.rules}</legend>
      <p class="quiet small">{words.rulesHint}</p>
      <Rows
        name="exclude"
        first={{ path: '/' }}
        addLabel={words.addRule}
        title={words.rule}
        removeLabel={words.removeRule}
      >
        <TextField name="path" placeholder="/health/**" />
        <TextField name="host" placeholder={texts.any} />
        <SelectField name="type" options={TYPE_OPTIONS} />
      </Rows>
    </fieldset>
  );
}
