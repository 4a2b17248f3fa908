import { RESOURCE_TYPES } from '../../../shared/vocabulary/vocabulary.ts';
import { usePage } from '../app/page-context.ts';
import { idFor } from '../model/item-id.ts';
import { toItems } from '../model/settings-path.ts';
import { usersQuery } from '../model/summary-queries.ts';
import { unwatchedHosts } from '../model/unwatched-hosts.ts';
import { hostName, isPage, wholeSite } from '../model/whole-site.ts';
import { useQuery } from '../query-cache/use-query.ts';
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
  const seen = useUnwatchedHosts().map((pattern) => {
    const name = hostName(pattern);
    const make = (freeId: (word: string) => string) => ({
      id: freeId(idFor(name, 'app', new Set())),
      name,
      match: [pattern],
    });
    return [words.addSeen({ name }), make] as const;
  });
  return (
    <Section name="targets">
      {saved.value === null ? <PackageAgain /> : null}
      <ItemList
        name="targets"
        untitled={words.untitled}
        note={({ match }) => toItems(match).map(String).join(', ') || words.noPages}
        none={words.none}
        add={{ [words.add]: (freeId) => ({ id: freeId('app'), match: [] }), ...Object.fromEntries(seen) }}
      >
        <TargetFields />
      </ItemList>
    </Section>
  );
}

/** For administrators, from the last 30 days. */
function useUnwatchedHosts(): readonly string[] {
  const { readOnly, value } = useEditor();
  const { client, now } = usePage();
  const { last } = useQuery({
    key: 'seen hosts',
    read: (signal) => {
      const month = { range: { preset: '30d' }, filters: {} } as const;
      return client.summary(usersQuery(month, now(), { by: ['host', 'scheme'] }), signal);
    },
    waits: readOnly,
  }).state;
  return unwatchedHosts(last?.value.cells ?? [], toItems(value(['targets'])));
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
