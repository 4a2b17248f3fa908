import type { ComponentChildren } from 'preact';
import type { FleetDocument } from '../../questions/fleet.ts';
import { usePage } from '../app/page-context.ts';
import { Command } from '../components/command.tsx';
import { RouteLink } from '../components/route-link.tsx';
import { Spoken } from '../components/spoken.tsx';
import type { Json } from '../model/settings-diff.ts';
import { doneSteps, START_STEPS, type StartStep } from '../model/start-steps.ts';
import { useQuery } from '../query-cache/use-query.ts';
import { toView, withOwn } from '../state/view-state.ts';
import { t } from '../text/t.ts';

const words = t.start;

/** A browser that was heard from within this time counts as installed, ms. */
const HEARD_WITHIN = 30 * 86_400_000;

interface PackagesAnswer {
  readonly packaged: object | null;
  readonly missing: readonly string[];
  readonly command: string;
}

/** What leads from an empty collector to its first numbers, with what is done ticked off. For administrators. */
export function StartGuide() {
  const { client, state, now } = usePage();
  const read = <Document,>(path: string) => useQuery(client.query<Document>(path)).state.last?.value;
  const settings = read<Json>('/settings');
  const tokens = read<{ readonly tokens: readonly { readonly role: string }[] }>('/tokens')?.tokens;
  const packages = read<PackagesAnswer>('/packages');
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
  const toPart = (part: string) => withOwn(toView(state, 'settings'), { part });
  const how: Readonly<Record<StartStep, ComponentChildren>> = {
    apps: <RouteLink to={toPart('targets')}>{words.toApps}</RouteLink>,
    key: <RouteLink to={toPart('keys')}>{words.toKeys}</RouteLink>,
    package: packages === undefined ? null : <Command>{packages.command}</Command>,
    install: <a href="install">{words.toInstall}</a>,
    numbers: null,
  };
  return (
    <section class="state start">
      <h1>{words.title}</h1>
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
              <p>{isDone ? words.steps[step].done : words.steps[step].todo}</p>
              {isDone ? null : <div>{how[step]}</div>}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
