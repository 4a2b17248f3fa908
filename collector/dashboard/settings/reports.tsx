import { FORMATS, MAIL_SECURITY, REPORT_PERIODS, REPORT_VIEWS } from '../../../shared/settings/report-choices.ts';
import { DIMENSIONS } from '../../../shared/vocabulary/dimensions.ts';
import { Box } from '../components/box.tsx';
import { type Item, itemsOf, textOf } from '../model/settings-path.ts';
import { t } from '../text/t.ts';
import { ParentProvider, useSetting } from './editor.ts';
import { LinesField, NumberField, type Options, SelectField, SeveralField, TextField } from './fields.tsx';
import { ItemList, OptionalPart, RemoveLine } from './item-list.tsx';
import { ReportRuns, RunReport } from './report-runs.tsx';
import { SecretField } from './secret-field.tsx';

const SECURITY_WORDS = { starttls: 'STARTTLS', implicit: 'TLS from the start', none: 'none (plain text)' } as const;

/** Scheduled reports, the mail server, and the recent runs. */
export function Reports() {
  return (
    <Box
      title="Scheduled reports"
      intro="Reports that are generated on a schedule and delivered to a folder, a webhook, or by mail."
    >
      <OptionalPart
        name="reports"
        none="No scheduled reports are set up."
        add="Set up reports"
        first={{ schedule: [] }}
      >
        <ItemList
          name="schedule"
          untitled="New report"
          note={reportNote}
          add={{
            'Add a report': (freeId) => {
              const id = freeId('monthly');
              return { id, cron: '0 6 1 * *', folder: id };
            },
          }}
        >
          <ReportFields />
        </ItemList>
        <MailServer />
        <ReportRuns />
      </OptionalPart>
    </Box>
  );
}

/** When a report is generated and where it is delivered, in a few words. */
function reportNote({ folder, webhook, mailTo, cron, zone, view }: Item): string {
  const channels = [
    folder === undefined ? null : `folder ${textOf(folder)}`,
    webhook === undefined ? null : 'webhook',
    mailTo === undefined ? null : `mail to ${itemsOf(mailTo).map(String).join(', ')}`,
  ].filter((channel) => channel !== null);
  const when = `${textOf(cron)} ${textOf(zone) || 'UTC'}`;
  return `${textOf(view) || 'monthly'}, at ${when}, ${channels.length === 0 ? 'no delivery yet' : channels.join(', ')}`;
}

/** Schedule, content, delivery, and counting rules of a report. */
function ReportFields() {
  return (
    <>
      <div class="setting-row">
        <TextField name="id" label="Id">
          Used in file names.
        </TextField>
        <TextField name="cron" label="Schedule" placeholder="0 6 1 * *">
          Minute, hour, day, month, weekday: 0 6 1 * * is 06:00 on the first of each month.
        </TextField>
        <TextField name="zone" label="Time zone" placeholder="UTC">
          Such as Europe/Berlin.
        </TextField>
      </div>
      <div class="setting-row">
        <SelectField name="view" label="View" options={withDefault('monthly', REPORT_VIEWS)} />
        <SelectField name="period" label="Covers the last full" options={withDefault('month', REPORT_PERIODS)} />
        <SelectField name="lang" label="Language" options={{ '': 'English', de: 'German' }} />
      </div>
      <SeveralField name="formats" label="Formats" options={FORMATS.map((format) => [format, format.toUpperCase()])}>
        None selected: PDF.
      </SeveralField>
      <Delivery />
      <details class="further">
        <summary>Counting rules</summary>
        <div class="setting-row">
          <SelectField name="first" label="Primary statistic" options={withDefault('median', ['median', 'average'])} />
          <SelectField
            name="per"
            label="TLS and set-up per"
            options={withDefault('request', ['connection', 'request'])}
          />
          <TextField name="businessHours" label="Business hours" placeholder="all hours">
            Such as Mon-Fri 08:00-18:00.
          </TextField>
          <TextField name="outliers" label="Outliers" placeholder="none">
            none, tukey, or cap:10000 for longer than 10 s.
          </TextField>
          <NumberField name="minN" label="Smallest group" unit="requests" placeholder="30" range={[1]} />
        </div>
      </details>
      <details class="further">
        <summary>Filters</summary>
        <div class="setting-row">
          {DIMENSIONS.map((name) => (
            <LinesField key={name} name={`filters/${name}`} label={t.dimensions[name]} placeholder="any" rows={2} />
          ))}
        </div>
      </details>
      <RunReport />
    </>
  );
}

/** The default comes first and removes the setting; an explicitly set default stays an option of its own. */
function withDefault(usual: string, all: readonly string[]): Options {
  return [['', usual], ...all.filter((one) => one !== usual)];
}

function Delivery() {
  const webhook = useSetting('webhook');
  return (
    <fieldset class="group">
      <legend>Delivery: one or more channels</legend>
      <div class="setting-row">
        <TextField name="folder" label="Folder" placeholder="none">
          Inside the folder of lastbyte serve --reports.
        </TextField>
        <LinesField name="mailTo" label="Mail to (one address per line)" rows={2} />
      </div>
      <div class="setting-row">
        <SelectField
          name="webhook"
          label="Webhook"
          value={webhook.value === undefined ? '' : 'post'}
          options={{ '': 'none', post: 'post each file' }}
          choose={(value) => webhook.set(value === '' ? undefined : { url: 'https://' })}
        />
        {webhook.value === undefined ? null : (
          <ParentProvider value={webhook.path}>
            <SecretField label="Address" plain="url" from="urlFrom" />
            <SecretField label="Bearer token" from="bearerFrom" />
          </ParentProvider>
        )}
      </div>
    </fieldset>
  );
}

function MailServer() {
  return (
    <fieldset class="group">
      <legend>Mail server</legend>
      <OptionalPart
        name="mail"
        none="No mail server: reports cannot be sent by mail."
        add="Set up mail"
        first={{ host: '', from: '' }}
      >
        <div class="setting-row">
          <TextField name="host" label="SMTP host" placeholder="mail.example.com" />
          <NumberField name="port" label="Port" placeholder="default" range={[1, 65_535]} />
          <SelectField
            name="tls"
            label="Encryption"
            options={MAIL_SECURITY.map((one) => [one === 'starttls' ? '' : one, SECURITY_WORDS[one]])}
          >
            If the server does not support it, no mail is sent.
          </SelectField>
          <TextField name="from" label="Sender" placeholder="lastbyte@example.com" />
        </div>
        <div class="setting-row">
          <TextField name="user" label="User" placeholder="none" />
          <SecretField label="Password" from="passwordFrom" />
        </div>
        <RemoveLine>Remove mail server</RemoveLine>
      </OptionalPart>
    </fieldset>
  );
}
