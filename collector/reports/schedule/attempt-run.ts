import type { ReportSettings, ScheduledReport } from '../../../shared/settings/report-settings.ts';
import type { Outgoing } from '../../outgoing/outgoing.ts';
import type { Store } from '../../storage/store.ts';
import { gatherReport, type ReportSource } from '../gather-report.ts';
import { fileNameOf, MEDIA_TYPES } from '../render/render-report.ts';
import type { RenderedReport } from '../render-source.ts';
import type { Format } from '../report-document.ts';
import type { ReportRenderer } from '../report-renderer.ts';
import type { Attempted } from './after-attempt.ts';
import { deliverToFolder } from './deliver-folder.ts';
import { deliverByMail } from './deliver-mail.ts';
import { deliverToWebhook } from './deliver-webhook.ts';
import { DeliveryFailed, failureText } from './delivery-failed.ts';
import type { ReportFile } from './report-file.ts';
import type { ReportRun, Way } from './report-memory.ts';
import { scheduledRequest } from './scheduled-request.ts';

export interface AttemptDeps {
  readonly store: Store;
  readonly clock: () => number;
  readonly version: string;
  readonly renderer: ReportRenderer;
  readonly outgoing: Outgoing;
  /** Folder that the reports' own folders lie in. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Makes a report and sends it wherever it has not arrived yet. Never throws: what failed is in `errors`. */
export async function attemptRun(
  deps: AttemptDeps,
  report: ScheduledReport,
  settings: ReportSettings,
  run: ReportRun,
): Promise<Attempted> {
  let made: { readonly first: RenderedReport; readonly files: readonly ReportFile[] };
  try {
    made = await makeFiles(deps, report, run);
  } catch (error) {
    return { done: [], errors: { report: failureText(error) }, files: [] };
  }
  const { first, files } = made;
  const delivery = `${report.id}-${run.due}`;
  const ways: Record<Way, (() => Promise<void>) | null> = {
    folder: report.folder === undefined ? null : () => deliverToFolder(deps.folder, report.folder ?? '', files),
    webhook:
      report.webhook === undefined
        ? null
        : () =>
            deliverToWebhook(
              {
                outgoing: deps.outgoing,
                webhook: report.webhook ?? {},
                report: report.id,
                delivery,
                version: deps.version,
                signal: deps.signal,
              },
              files,
            ),
    mail:
      report.mailTo === undefined ? null : () => mailTo(deps, report.mailTo ?? [], first, files, settings, delivery),
  };
  const done: Way[] = [];
  const errors: Record<string, string> = {};
  // Side by side: a mail server that hangs keeps no file from being written.
  await Promise.all(
    Object.entries(ways).map(async ([way, send]) => {
      if (send === null || run.done.includes(way as Way)) return;
      try {
        await send();
        done.push(way as Way);
      } catch (error) {
        errors[way] = failureText(error);
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
  const [format = 'pdf', ...others] = new Set<Format>(report.formats ?? ['pdf']);
  // What is handed on goes to people who may not see single browsers.
  const asker = { store, version, audience: { role: 'read', now: due }, signal } as const;
  const source = await gatherReport(asker, scheduledRequest(report, due, format), due);
  // Cast: a union of views, each with its own request. The format is told by the report's command line only.
  const inFormat = (one: Format) => ({ ...source, request: { ...source.request, format: one } }) as ReportSource;
  const render = (one: Format) => renderer.render(inFormat(one), one);
  const fileOf = (one: Format, rendered: RenderedReport): ReportFile => ({
    name: fileNameOf(rendered, one).replace(/^lastbyte-/, `${report.id}-`),
    format: one,
    mediaType: MEDIA_TYPES[one],
    bytes: rendered.bytes,
  });
  const first = await render(format);
  const files = [fileOf(format, first)];
  for (const other of others) files.push(fileOf(other, await render(other)));
  return { first, files };
}

async function mailTo(
  { clock, ...deps }: AttemptDeps,
  to: readonly string[],
  report: RenderedReport,
  files: readonly ReportFile[],
  { mail }: ReportSettings,
  delivery: string,
): Promise<void> {
  if (mail === undefined) throw new DeliveryFailed('there is no mail server in the settings any more');
  await deliverByMail(deps, mail, {
    to,
    // The period; filters would make it long.
    subject: `${report.title}, ${report.subtitle.split('. ')[0]}`,
    text: report.opening,
    messageId: `<${delivery}@${mail.from.split('@')[1] ?? 'lastbyte'}>`,
    date: clock(),
    files,
  });
}
