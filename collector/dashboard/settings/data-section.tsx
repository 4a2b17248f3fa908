import { texts } from '../text/settings.ts';
import { LinesField, NumberField, SelectField, TextField } from './fields.tsx';
import { Rows } from './item-list.tsx';
import { Section } from './section.tsx';

const words = texts.data;

/** Retention, delivery interval, what viewers see of small groups, and sites by network. */
export function DataSection() {
  return (
    <Section name="data">
      <div class="setting-row">
        <NumberField name="retention/sampleDays" placeholder="30" />
        <NumberField name="retention/hourDays" placeholder="90" />
        <NumberField name="retention/dayDays" placeholder="731" />
        <NumberField name="retention/monthDays" placeholder={texts.forever} />
      </div>
      <div class="setting-row">
        <SelectField name="privacy/foldSmallGroups" options={texts.data.foldSmallGroups} />
        <NumberField name="delivery/intervalSeconds" placeholder="60" />
      </div>
      <fieldset class="group">
        <legend>{words.sites}</legend>
        <p class="quiet small">{words.sitesHint}</p>
        <Rows
          name="sites"
          first={{ site: '', networks: [] }}
          addLabel={words.addSite}
          title={words.site}
          removeLabel={words.removeSite}
        >
          <TextField name="site" placeholder="Berlin" />
          <LinesField name="networks" rows={2} />
        </Rows>
      </fieldset>
    </Section>
  );
}
