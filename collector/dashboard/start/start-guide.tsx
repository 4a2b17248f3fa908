import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PackagesAnswer } from '../../http/schemas/control-answers.ts';
import type { FleetDocument } from '../../questions/fleet.ts';
import { usePage } from '../app/page-context.ts';
import { RouteLink } from '../components/route-link.tsx';
import { Spoken } from '../components/spoken.tsx';
import type { Json } from '../model/settings-diff.ts';
import { toItems, toText, valueAt } from '../model/settings-path.ts';
import { useQuery } from '../query-cache/use-query.ts';
import { toView, withOwn } from '../state/view-state.ts';
import { START as words } from '../text/start.ts';
import { AppForm } from './app-form.tsx';
import { Installing } from './installing.tsx';
import { KeyMaker } from './key-maker.tsx';
import { PackageNow } from './package-now.tsx';

import { doneSteps, START_STEPS, type StartStep } from './start-steps.ts';

/** A browser that was heard from within this time counts as installed, ms. */
const HEARD_WITHIN = 30 * 86_400_000;

/** More often than other views: somebody is waiting for the next tick, ms. */
const REFRESH_INTERVAL = 10_000;

function useDocument<Document>(path: string): Document | undefined {
  return useQuery(usePage().client.query<Document>(path)).state.last?.value;
}

/** What leads from an empty collector to its first numbers, with what is done ticked off. For administrators. */
export function StartGuide() {
  const { client, cache, state, now } = usePage();
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) cache.refresh('rested');
    }, REFRESH_INTERVAL);
    return () => clearInterval(timer);
  }, [cache]);
  // Kept nowhere else, and gone with the page.
  const [made, setMade] = useState('');
  const settings = useDocument<Json>('/settings');
  const tokens = useDocument<{ readonly tokens: readonly { readonly role: string }[] }>('/tokens')?.tokens;
  const packages = useDocument<PackagesAnswer>('/packages');
  const fleet = useQuery<FleetDocument>({
    key: 'start fleet',
    read: (signal) => {
      const range = { from: now() - HEARD_WITHIN, to: now() };
      const [from, to] = [range.from, range.to].map((at) => encodeURIComponent(new Date(at).toISOString()));
      return client.read<FleetDocument>(`/fleet?from=${from}&to=${to}`, signal);
    },
  }).state.last?.value;
  const done = doneSteps({ settings, tokens, packages, browsers: fleet?.browsers });
  const next = START_STEPS.find((step) => !done.has(step));
  const apps = toItems(valueAt(settings, ['targets'])).map(({ name, id }) => toText(name) || toText(id));
  const { packaged = null, missing = [] } = packages ?? {};
  const outcomes: Readonly<Record<StartStep, ComponentChildren>> = {
    apps: words.watched({ apps: apps.join(', ') }),
    key: made === '' ? words.keyExists : words.keyReady,
    package: packaged === null ? words.reported : words.packagedFor(packaged),
    install: words.reported,
    numbers: null,
  };
  const how: Readonly<Record<StartStep, ComponentChildren>> = {
    apps: (
      <>
        <AppForm isFirst={!done.has('apps')} />
        <RouteLink class="small" to={withOwn(toView(state, 'settings'), { part: 'targets' })}>
          {words.toApps}
        </RouteLink>
      </>
    ),
    key: <KeyMaker made={made} isFirst={!done.has('key')} isNext={next === 'key'} setMade={setMade} />,
    package:
      packages === undefined || !done.has('apps') ? null : (
        <>
          <PackageNow packages={packages} isNext={next === 'package'} />
          {packaged === null ? null : <p class="small">{words.keepSigningKey(packaged)}</p>}
        </>
      ),
    // Without a package there is nothing to install.
    install: packaged === null ? null : <Installing made={made} isLacking={missing.length > 0} />,
    numbers: null,
  };
  return (
    <>
      <p>{words.lead}</p>
      <ol class="start-steps">
        {START_STEPS.map((step) => {
          const isDone = done.has(step);
          // What was packaged is there, though it lacks an app.
          const hasOutcome = isDone || (step === 'package' && packaged !== null);
          return (
            <li
              key={step}
              class={isDone ? 'start-done' : step === next ? 'start-next' : ''}
              aria-current={step === next ? 'step' : undefined}
            >
              <strong>{words.steps[step].title}</strong>
              {isDone ? <Spoken> {words.done}</Spoken> : null}
              <p role="status">{hasOutcome ? outcomes[step] : words.steps[step].todo}</p>
              {how[step] === null ? null : <div class="start-how">{how[step]}</div>}
            </li>
          );
        })}
      </ol>
    </>
  );
}
