import { NO_APP_NAMES } from '../../../shared/settings/app-names.ts';
import { type ChangeEvent, changeEvents, keyOfChange } from '../../analysis/changes/change-events.ts';
import { explainingAnnotation } from '../../analysis/changes/explaining-annotation.ts';
import { changeEventText } from '../../analysis/text/change-event-text.ts';
import type { ChangesDocument } from '../../questions/changes.ts';
import { useAnnotations } from '../annotations/use-annotations.ts';
import { lastingChanges, startOfDate } from '../annotations/use-change-marks.ts';
import { usePage } from '../app/page-context.ts';
import { useAppNames } from '../app/use-app-names.ts';
import { Box } from '../components/box.tsx';
import { Panel } from '../components/panel.tsx';
import { RouteLink } from '../components/route-link.tsx';
import { toView, type ViewState, withFilter } from '../state/view-state.ts';
import { CHANGES as texts } from '../text/changes.ts';
import { localZone } from '../text/format.ts';
import { formatDay } from '../text/moment.ts';
import { t } from '../text/t.ts';

const SHOWN = 3;

/** The lasting changes in the view's range, and since when. */
export function Changes() {
  const { waits, ...query } = lastingChanges(usePage());
  if (waits) return null;
  return (
    <Panel<ChangesDocument> name={texts.heading} shape="chart" query={query}>
      {drawChanges}
    </Panel>
  );
}

const drawChanges = (document: ChangesDocument) => <Found document={document} />;

function Found({ document: { changes, series } }: { readonly document: ChangesDocument }) {
  const events = changeEvents(changes);
  if (events.length === 0) return <p class="hint">{texts.none(series.tested)}</p>;
  const rest = events.slice(SHOWN);
  return (
    <Box title={texts.heading}>
      <ul class="lasting-changes">
        {events.slice(0, SHOWN).map((event) => (
          <Change key={JSON.stringify(keyOfChange(event.lead))} event={event} />
        ))}
      </ul>
      {rest.length === 0 ? null : (
        <details>
          <summary>{texts.more(rest.length)}</summary>
          <ul class="lasting-changes">
            {rest.map((event) => (
              <Change key={JSON.stringify(keyOfChange(event.lead))} event={event} />
            ))}
          </ul>
        </details>
      )}
    </Box>
  );
}

function Change({ event }: { readonly event: ChangeEvent }) {
  const { state } = usePage();
  const { list } = useAnnotations();
  const names = {
    apps: useAppNames() ?? NO_APP_NAMES,
    types: t.types,
    day: (date: string) => formatDay(startOfDate(date)),
  };
  const explanation = explainingAnnotation(event, list, localZone());
  const { title, detail } = changeEventText(event, explanation, texts, names);
  return (
    <li class={`lasting-${event.lead.direction}`}>
      <RouteLink to={toGroup(state, event)}>{title}</RouteLink> <span class="quiet small">{detail}</span>
    </li>
  );
}

/** This view with that app or site only, or the host's page. */
function toGroup(state: ViewState, { lead }: ChangeEvent): ViewState {
  const { target, host, type, site } = keyOfChange(lead);
  if (host != null) return toView(state, 'host', { page: host, ...(type == null ? {} : { kind: type }) });
  if (target != null) return withFilter(state, 'target', [target]);
  return site == null ? state : withFilter(state, 'site', [site]);
}
