import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { PackagesAnswer } from '../../http/schemas/control-answers.ts';
import type { FleetDocument } from '../../questions/fleet.ts';
import { usePage } from '../app/page-context.ts';
import { Command } from '../components/copy-button.tsx';
import { RouteLink } from '../components/route-link.tsx';
import { Spoken } from '../components/spoken.tsx';
import type { Json } from '../model/settings-diff.ts';
import { useQuery } from '../query-cache/use-query.ts';
import { toView, withOwn } from '../state/view-state.ts';
import { START as words } from '../text/start.ts';
import { doneSteps, packageFits, START_STEPS, type StartStep } from './start-steps.ts';

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
  const outcome = (step: StartStep) =>
    words.steps[step === 'package' && !packageFits(packages) ? 'install' : step].done;
  const toPart = (part: string) => withOwn(toView(state, 'settings'), { part });
  const how: Readonly<Record<StartStep, ComponentChildren>> = {
    apps: <RouteLink to={toPart('targets')}>{words.toApps}</RouteLink>,
    key: <RouteLink to={toPart('keys')}>{words.toKeys}</RouteLink>,
    // Without apps the command fails.
    package: packages === undefined || !done.has('apps') ? null : <Command>{packages.command}</Command>,
    install: <a href="install">{words.toInstall}</a>,
    numbers: null,
  };
  return (
    <>
      <p>{words.lead}</p>
      <ol class="start-steps">
        {START_STEPS.map((step) => {
          const isDone = done.has(step);
          return (
            <li
              key={step}
              class={isDone ? 'start-done' : step === next ? 'start-next' : ''}
              aria-current={step === next ? 'step' : undefined}
            >
              <strong>{words.steps[step].title}</strong>
              {isDone ? <Spoken> {words.done}</Spoken> : null}
              <p>{isDone ? outcome(step) : words.steps[step].todo}</p>
              {isDone ? null : <div>{how[step]}</div>}
            </li>
          );
        })}
      </ol>
    </>
  );
}
