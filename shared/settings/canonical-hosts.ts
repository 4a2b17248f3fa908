import { canonicalHost } from '../redact/host-name.ts';
import { canonicalPattern } from '../redact/match-pattern.ts';
import type { DocumentProblem } from '../vocabulary/document-problem.ts';
import type { Settings } from './settings-schema.ts';

type Place = readonly [path: string, host: string];

/** The settings as they take effect: each host in the form in which samples name it. Stored and shown is what was typed. */
export function withCanonicalHosts(settings: Settings): Settings {
  const { targets, alerts } = settings;
  return {
    ...settings,
    targets: targets.map((target) => ({
      ...target,
      match: target.match.map(canonicalPattern),
      ...(target.exclude ? { exclude: target.exclude.map(withCanonicalHost) } : {}),
      ...(target.unlockTimings
        ? { unlockTimings: target.unlockTimings.map((host) => canonicalHost(host) ?? host) }
        : {}),
    })),
    ...(alerts ? { alerts: { ...alerts, rules: alerts.rules.map(withCanonicalHost) } } : {}),
  };
}

function withCanonicalHost<T extends { readonly host?: string }>(rule: T): T {
  return rule.host === undefined ? rule : { ...rule, host: canonicalHost(rule.host) ?? rule.host };
}

/** Hosts that would match nothing. */
export function hostProblems({ targets, alerts }: Settings): DocumentProblem[] {
  const given: Place[] = [
    ...targets.flatMap(({ exclude = [] }, target) =>
      exclude.flatMap(({ host }, index): Place[] =>
        host === undefined ? [] : [[`/targets/${target}/exclude/${index}/host`, host]],
      ),
    ),
    ...(alerts?.rules ?? []).flatMap(({ host }, index): Place[] =>
      host === undefined ? [] : [[`/alerts/rules/${index}/host`, host]],
    ),
  ];
  return given.flatMap(([path, host]) => (canonicalHost(host) === null ? [noHost(path, host)] : []));
}

/** Domains of header rules: names only, and no top-level one. */
export function unlockProblems({ targets }: Settings): DocumentProblem[] {
  return targets.flatMap(({ unlockTimings = [] }, target) =>
    unlockTimings.flatMap((host, index) =>
      /^[^.[]+(?:\.[^.]+)+$/.test(canonicalHost(host) ?? '')
        ? []
        : [noHost(`/targets/${target}/unlockTimings/${index}`, host)],
    ),
  );
}

function noHost(path: string, host: string): DocumentProblem {
  const hint = 'Write the host only, such as cdn.example.com: no scheme, port or path.';
  return { path, message: `${host} is not a host`, hint, code: 'not_a_host', values: { host } };
}
