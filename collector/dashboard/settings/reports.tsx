import { FORMATS, MAIL_SECURITY, REPORT_PERIODS, REPORT_VIEWS } from '../../../shared/settings/report-choices.ts';
import { DIMENSIONS } from '../../../shared/vocabulary/dimensions.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import { type Item, toItems, toText } from '../model/settings-path.ts';
import { texts } from '../text/settings.ts';
import { t } from '../text/t.ts';
import { ParentProvider, useSetting } from './editor.ts';
import { LinesField, NumberField, type Options, SelectField, SeveralField, TextField } from './fields.tsx';
import { ItemList, OptionalPart, RemoveButton } from './item-list.tsx';
import { NameField } from './name-field.tsx';
import { ReportRuns, RunReport } from './report-runs.tsx';
import { SecretField } from './secret-field.tsx';
import { Section } from './section.tsx';

const words = texts.reports;

/** Scheduled reports, the mail server, and the recent runs. */
export function Reports() {
  return (
    <Section name="reports">
      <OptionalPart name="reports" none={words.none} add={words.setUp} first={{ schedule: [] }}>
        <ItemList
          name="schedule"
          untitled={words.untitled}
          note={reportNote}
          add={{
            [words.add]: (freeId) => ({ id: freeId('report'), cron: '0 6 1 * *', folder: 'reports' }),
          }}
        >
          <ReportFields />
        </ItemList>
        <TextField name="organisation" />
        <MailServer />
        <ReportRuns />
      </OptionalPart>
    </Section>
  );
}

/** When a report is generated and where it is delivered, in a few words. */
function reportNote({ folder, webhook, mailTo, cron, zone, view }: Item): string {
  const channels = [
    folder === undefined ? null : words.channels.folder({ folder: toText(folder) }),
    webhook === undefined ? null : words.channels.webhook,
    mailTo === undefined ? null : words.channels.mail({ to: toItems(mailTo).map(String).join(', ') }),
  ].filter((channel) => channel !== null);
  return words.note({
    view: wordFor(words.views, toText(view) || 'monthly'),
    when: `${toText(cron)} ${toText(zone) || 'UTC'}`,
    channels,
  });
}

/** Schedule, content, delivery, and counting rules of a report. */
function ReportFields() {
  return (
    <>
      <NameField word="report" />
      <div class="setting-row">
        <TextField name="cron" placeholder="0 6 1 * *" />
        <TextField name="zone" placeholder="UTC" />
      </div>
      <div class="setting-row">
        <SelectField name="view" options={withDefault('monthly', REPORT_VIEWS, words.views)} />
        <SelectField name="period" options={withDefault('month', REPORT_PERIODS, words.periods)} />
        <SelectField name="lang" options={withDefault('en', ['de'], words.languages)} />
      </div>
      <SeveralField name="formats" options={FORMATS.map((format) => [format, format.toUpperCase()])} />
      <Delivery />
      <details class="further">
        <summary>{words.countingRules}</summary>
        <div class="setting-row">
          <SelectField name="first" options={withDefault('median', ['average'], words.statistics)} />
          <SelectField name="per" options={withDefault('request', ['connection'], words.per)} />
          <TextField name="businessHours" placeholder={texts.allHours} />
          <TextField name="outliers" placeholder={texts.noneSet} />
          <NumberField name="minN" placeholder="30" />
        </div>
      </details>
      <details class="further">
        <summary>{words.filters}</summary>
        <div class="setting-row">
          {DIMENSIONS.map((name) => (
            <LinesField
              key={name}
              name={`filters/${name}`}
              text={{ label: t.dimensions[name] }}
              placeholder={texts.any}
              rows={2}
            />
          ))}
        </div>
      </details>
      <RunReport />
    </>
  );
}

/** The default comes first and removes the setting; an explicitly set default stays an option of its own. */
function withDefault(usual: string, all: readonly string[], labels: Readonly<Record<string, string>>): Options {
  const others = all.filter((one) => one !== usual);
  return ['', ...others].map((one) => [one, wordFor(labels, one || usual)]);
}

function Delivery() {
  const webhook = useSetting('webhook');
  return (
    <fieldset class="group">
      <legend>{words.delivery}</legend>
      <div class="setting-row">
        <TextField name="folder" placeholder={texts.noneSet} />
        <LinesField name="mailTo" rows={2} />
      </div>
      <div class="setting-row">
        <SelectField
          name="webhook"
          value={webhook.value === undefined ? '' : 'post'}
          options={{ '': words.webhookChoices.none, post: words.webhookChoices.post }}
          choose={(value) => webhook.set(value === '' ? undefined : { url: 'https://' })}
        />
        {webhook.value === undefined ? null : (
          <ParentProvider value={webhook.path}>
            <SecretField plain="url" from="urlFrom" />
            <SecretField from="bearerFrom" />
          </ParentProvider>
        )}
      </div>
    </fieldset>
  );
}

function MailServer() {
  const mail = useSetting('mail');
  return (
    <fieldset class="group">
      <legend>{words.mailServer}</legend>
      <OptionalPart name="mail" none={words.noMailServer} add={words.setUpMail} first={{ host: '', from: '' }}>
        <div class="setting-row">
          <TextField name="host" placeholder="mail.example.com" />
          <NumberField name="port" placeholder={texts.usual} />
          <SelectField name="tls" options={withDefault('starttls', MAIL_SECURITY, words.security)} />
          <TextField name="from" placeholder="lastbyte@example.com" />
        </div>
        <div class="setting-row">
          <TextField name="user" placeholder={texts.noneSet} />
          <SecretField from="passwordFrom" />
        </div>
        <p class="actions">
          <RemoveButton remove={() => mail.set(undefined)}>{words.removeMailServer}</RemoveButton>
        </p>
      </OptionalPart>
    </fieldset>
  );
}
