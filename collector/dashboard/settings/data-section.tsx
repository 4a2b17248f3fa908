import { texts } from '../text/settings.ts';
import { NumberField, SelectField } from './fields.tsx';
import { Section } from './section.tsx';

/** Retention, delivery interval, and what viewers see of small groups. */
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
    </Section>
  );
}
