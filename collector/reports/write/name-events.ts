import { hostLabel } from '../../../shared/redact/host-label.ts';
import type { NamesOfApps } from '../../../shared/settings/app-names.ts';
import { concerns } from '../../analysis/changes/annotation-document.ts';
import { changeEvents } from '../../analysis/changes/change-events.ts';
import { explainingAnnotation } from '../../analysis/changes/explaining-annotation.ts';
import { changeEventText } from '../../analysis/text/change-event-text.ts';
import { offset } from '../../analysis/time/zoned-time.ts';
import type { ChartAnnotation } from '../../charts/chart-spec.ts';
import type { MonthlyData } from '../document/report-request.ts';
import type { ReportTexts } from '../language/english.ts';

const NAMED_CHANGES = 3;

/** What a lasting change is called, and what else is known of it. */
interface NamedChange {
  /** Its first day, and what it is called in a chart: `+45 ms Order system`. */
  readonly mark: ChartAnnotation;
  readonly title: string;
  /** What may explain it; without that, where it came from and went to. */
  readonly brief: string;
  readonly detail: string;
}

/** What the report says about the days of its period. */
export interface Events {
  /** Those of most waiting first. */
  readonly changes: readonly NamedChange[];
  /** Annotations, in order of time. */
  readonly happened: readonly ChartAnnotation[];
}

export function nameEvents(data: MonthlyData, texts: ReportTexts, apps: NamesOfApps, zone: string): Events {
  return { changes: nameChanges(data, texts, apps, zone), happened: happenedIn(data, apps, zone) };
}

function nameChanges(
  { changes, annotations }: MonthlyData,
  texts: ReportTexts,
  apps: NamesOfApps,
  zone: string,
): NamedChange[] {
  const words = texts.monthly.changes;
  const day = (date: string) => {
    const [year = '', month = '', of = ''] = date.split('-');
    return texts.date(year, month, of);
  };
  const events = changeEvents(changes?.changes ?? []).slice(0, NAMED_CHANGES);
  return events.map((event) => {
    const explanation = explainingAnnotation(event, annotations, zone);
    const { subject, title, detail } = changeEventText(event, explanation, words, { apps, types: texts.types, day });
    const { since, before, after, difference } = event.lead;
    return {
      mark: { at: Date.parse(since), until: null, text: `${texts.monthly.signed(difference)} ${subject}` },
      title: `${title}.`,
      brief: explanation === null ? texts.monthly.fromTo(before, after) : words.after(explanation),
      detail,
    };
  });
}

/** The annotations about what the report is about; their local time as UTC, as its days are. */
function happenedIn(
  { query, annotations }: Pick<MonthlyData, 'query' | 'annotations'>,
  apps: NamesOfApps,
  zone: string,
): ChartAnnotation[] {
  const { target, host } = query.filters;
  return annotations
    .filter((annotation) => concerns(annotation, target, host))
    .map(({ at, until, text, ...about }) => ({
      at: at + offset(at, zone),
      until: until === null ? null : until + offset(until, zone),
      text: [
        text,
        ...(about.target === null ? [] : [apps.get(about.target) ?? about.target]),
        ...(about.host === null ? [] : [hostLabel(about.host)]),
      ].join(' · '),
    }));
}
