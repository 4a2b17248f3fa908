import { Box } from '../components/box.tsx';
import { NumberField, SelectField } from './fields.tsx';

const DAYS = { unit: 'days', range: [8, 36_500] } as const;

/** Retention, delivery interval, and what viewers see of small groups. */
export function DataSection() {
  return (
    <Box
      title="Retention and privacy"
      intro="Older data are deleted once an hour. Coarser resolutions are computed from finer ones, so they are kept at least as long."
    >
      <div class="setting-row">
        <NumberField name="retention/sampleDays" label="Individual samples" placeholder="30" {...DAYS} />
        <NumberField name="retention/hourDays" label="Hourly data" placeholder="90" {...DAYS} />
        <NumberField name="retention/dayDays" label="Daily data" placeholder="731" {...DAYS} />
        <NumberField name="retention/monthDays" label="Monthly data" placeholder="forever" {...DAYS} />
      </div>
      <div class="setting-row">
        <SelectField
          name="privacy/foldSmallGroups"
          label="Groups of fewer than 5 browsers"
          options={{
            '': 'hidden from viewers if there are 20 browsers or more',
            true: 'always hidden from viewers',
            false: 'shown to viewers',
          }}
        >
          Such groups could identify a person, also by subtraction. Administrators always see them.
        </SelectField>
        <NumberField
          name="delivery/intervalSeconds"
          label="Browsers send at least every"
          unit="s"
          placeholder="60"
          range={[1, 3600]}
        />
      </div>
    </Box>
  );
}
