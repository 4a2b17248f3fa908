import { join } from 'node:path';
import type { ReportSettings, ScheduledReport } from '../../../shared/settings/report-settings.ts';
import type { Language } from '../../analysis/text/language.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { writeWholeFile } from '../../lib/write-whole-file.ts';
import { DeliveryFailed } from '../../outgoing/delivery-failed.ts';
import type { Outgoing } from '../../outgoing/outgoing.ts';
import { sendMail } from '../../outgoing/send-mail.ts';
import type { Store } from '../../storage/store.ts';
import { type Format, fullTitle } from '../document/report-document.ts';
import type { ReportSource } from '../document/report-request.ts';
import { documentLanguage, gatherReport } from '../gather-report.ts';
import { MEDIA_TYPES, toFileName } from '../render/render-report.ts';
import type { RenderedReport } from '../render-source.ts';
import type { ReportRenderer } from '../report-renderer.ts';
import { deliverToWebhook } from './deliver-webhook.ts';
import { failureText, type ReportFile } from './delivery.ts';
import type { Attempted } from './find-due.ts';
import type { Channel, ReportRun } from './report-memory.ts';
import { scheduledRequest } from './scheduled-request.ts';

export interface AttemptDeps {
  readonly store: Store;
  readonly clock: () => number;
  readonly version: string;
  readonly renderer: ReportRenderer;
  readonly outgoing: Outgoing;
  /** Parent of each report's own folder. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/**
 * Makes a report and sends it over each channel that has not delivered it yet. Failures are in `errors`.
 * @param isStillOurs asked once the report is made, which takes a while: another collector may lead by then, and have sent it
 * @returns null if it is not; throws only what `isStillOurs` throws
 */
export async function attemptRun(
  deps: AttemptDeps,
  report: ScheduledReport,
  settings: ReportSettings,
  run: ReportRun,
  isStillOurs: () => Promise<boolean>,
): Promise<Attempted | null> {
  let made: { readonly letter: RenderedReport; readonly files: readonly ReportFile[] };
  try {
    made = await makeFiles(deps, report, run);
  } catch (error) {
    return { done: [], errors: { report: failureText(error) }, files: [] };
  }
  if (!(await isStillOurs())) return null;
  const { letter, files } = made;
  const delivery = `${report.id}-${run.due}`;
  const channels: Record<Channel, (() => Promise<void>) | null> = {
    folder: report.folder === undefined ? null : () => deliverToFolder(deps.folder, report.folder ?? '', files),
    webhook: report.webhook === undefined ? null : () => deliverToWebhook(deps, report, delivery, files),
    mail:
      report.mailTo === undefined ? null : () => mailTo(deps, report.mailTo ?? [], letter, files, settings, delivery),
  };
  const done: Channel[] = [];
  const errors: Record<string, string> = {};
  // In parallel: a mail server that hangs does not keep files from being written.
  await Promise.all(
    Object.entries(channels).map(async ([channel, send]) => {
      if (send === null || run.done.includes(channel as Channel)) return;
      try {
        await send();
        done.push(channel as Channel);
      } catch (error) {
        errors[channel] = failureText(error);
      }
    }),
  );
  return { done: done.sort(), errors, files: files.map(({ name }) => name) };
}

async function makeFiles(
  { store, version, renderer, signal }: AttemptDeps,
  report: ScheduledReport,
  { due }: ReportRun,
) {
  const formats = [...new Set<Format>(report.formats ?? ['pdf'])];
  // The recipients may not be allowed to see individual browsers.
  const context = { store, version, viewer: { role: 'read', now: due }, signal } as const;
  const sources = new Map<Language, ReportSource>();
  const files: ReportFile[] = [];
  // The mail is in the report's language, whereas JSON never is.
  let letter: RenderedReport | null = null;
  for (const format of formats) {
    const rendered = await render(format);
    if (format !== 'json') letter ??= rendered;
    files.push({
      name: toFileName(rendered, format).replace(/^lastbyte-/, `${report.id}-`),
      format,
      mediaType: MEDIA_TYPES[format],
      bytes: rendered.bytes,
    });
  }
  return { letter: letter ?? (await render('text')), files };

  async function render(format: Format): Promise<RenderedReport> {
    const request = scheduledRequest(report, due, format);
    const language = documentLanguage(request);
    const source = sources.get(language) ?? (await gatherReport(context, request, due));
    sources.set(language, source);
    // Cast: a union of views, each with its own request.
    const inFormat = { ...source, request: { ...source.request, format } } as ReportSource;
    return renderer.render(inFormat, format);
  }
}

async function mailTo(
  { clock, ...deps }: AttemptDeps,
  to: readonly string[],
  letter: RenderedReport,
  files: readonly ReportFile[],
  { mail }: ReportSettings,
  delivery: string,
): Promise<void> {
  if (mail === undefined) throw new DeliveryFailed('there is no mail server in the settings any more');
  await sendMail(deps, mail, {
    to,
    subject: fullTitle(letter),
    text: letter.opening,
    messageId: `<${delivery}@${mail.from.split('@')[1] ?? 'lastbyte'}>`,
    date: clock(),
    files,
  });
}

/** Writes files below the folder of reports, each whole or not at all. */
async function deliverToFolder(root: string, folder: string, files: readonly ReportFile[]): Promise<void> {
  const path = join(root, folder);
  // Reports show how people work: only the collector's own user may read a new folder.
  await makeFolder(path);
  for (const { name, bytes } of files) await writeWholeFile(join(path, name), once(bytes));
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
