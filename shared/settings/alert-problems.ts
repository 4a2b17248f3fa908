import { ALERT_RULE_DEFAULTS } from './alert-defaults.ts';
import type { AlertRule, AlertSettings } from './alert-settings.ts';
import { webhookProblems } from './webhook-problems.ts';

interface Problem {
  readonly path: string;
  readonly message: string;
  readonly hint: string;
}

/** Problems of the alerts that their schema does not catch. */
export function alertProblems(
  alerts: AlertSettings | undefined,
  targets: readonly { readonly id: string }[],
): Problem[] {
  if (!alerts) return [];
  const webhooks = new Set(alerts.webhooks.map(({ id }) => id));
  const known = new Set(targets.map(({ id }) => id));
  return [
    ...repeated('/alerts/webhooks', alerts.webhooks),
    ...repeated('/alerts/rules', alerts.rules),
    ...alerts.webhooks.flatMap((webhook, place) => webhookProblems(webhook, `/alerts/webhooks/${place}`)),
    ...alerts.rules.flatMap((rule, place) => [
      ...ruleProblems(rule, `/alerts/rules/${place}`),
      ...(rule.webhooks ?? []).flatMap((id): Problem[] => {
        if (webhooks.has(id)) return [];
        const hint = 'Name the id of one of alerts.webhooks, or leave webhooks away to tell all.';
        return [{ path: `/alerts/rules/${place}/webhooks`, message: `there is no webhook ${id}`, hint }];
      }),
      ...(rule.target === undefined || known.has(rule.target)
        ? []
        : [
            {
              path: `/alerts/rules/${place}/target`,
              message: `there is no target ${rule.target}`,
              hint: 'Name the id of one of the targets.',
            },
          ]),
    ]),
  ];
}

function repeated(path: string, items: readonly { readonly id: string }[]): Problem[] {
  const seen = new Set<string>();
  return items.flatMap(({ id }, place) => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [{ path: `${path}/${place}/id`, message: `the id ${id} is used twice`, hint: 'Each needs its own.' }];
  });
}

function ruleProblems(rule: AlertRule, path: string): Problem[] {
  const problems: Problem[] = [];
  if ((rule.aboveMs === undefined) === (rule.availabilityBelow === undefined)) {
    const hint = 'aboveMs watches a time of users, availabilityBelow the probes.';
    problems.push({ path, message: 'needs either aboveMs or availabilityBelow', hint });
  } else if (rule.availabilityBelow !== undefined && (rule.time ?? rule.statistic) !== undefined) {
    const hint = 'Leave time and statistic away, or make it a rule with aboveMs.';
    problems.push({ path, message: 'availability has no time or statistic', hint });
  }
  const { breaches = ALERT_RULE_DEFAULTS.breaches, evaluations = ALERT_RULE_DEFAULTS.evaluations } = rule;
  if (breaches > evaluations) {
    const hint = 'It fires when so many of the last evaluations were over the threshold.';
    problems.push({ path: `${path}/breaches`, message: `${breaches} of ${evaluations} can never be`, hint });
  }
  return problems;
}
