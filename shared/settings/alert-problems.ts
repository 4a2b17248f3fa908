import { hasCredentials, parseHttpUrl } from '../redact/http-url.ts';
import { type DocumentProblem, repeatedIds } from '../vocabulary/document-problem.ts';
import { ALERT_RULE_DEFAULTS, EACH_JOURNEY } from './alert-defaults.ts';
import type { AlertRule, AlertSettings } from './alert-settings.ts';
import type { ScheduledProbe } from './probe-settings.ts';
import type { MailSettings } from './report-settings.ts';
import { webhookProblems } from './webhook-problems.ts';

const OF_JOURNEYS = ['eachSite'] as const;
const OF_REQUESTS = ['aboveMs', 'host', 'type', 'connection', 'scenario'] as const;

/** Problems of the alerts that their schema does not catch. */
export function alertProblems(
  alerts: AlertSettings | undefined,
  targets: readonly { readonly id: string }[],
  mail: MailSettings | undefined,
  schedule: readonly Pick<ScheduledProbe, 'id' | 'url'>[],
): DocumentProblem[] {
  if (!alerts) return [];
  const webhooks = new Set(alerts.webhooks.map(({ id }) => id));
  const known = new Set(targets.map(({ id }) => id));
  const journeys = new Set([EACH_JOURNEY, ...schedule.filter(({ url }) => url === undefined).map(({ id }) => id)]);
  return [
    ...dashboardProblems(alerts.dashboardUrl),
    ...repeatedIds('/alerts/webhooks', alerts.webhooks),
    ...repeatedIds('/alerts/rules', alerts.rules),
    ...alerts.webhooks.flatMap((webhook, index) => webhookProblems(webhook, `/alerts/webhooks/${index}`)),
    ...alerts.rules.flatMap((rule, index) => [
      ...ruleProblems(rule, `/alerts/rules/${index}`),
      ...(rule.webhooks ?? []).flatMap((id) => {
        const hint = 'Use the id of one of alerts.webhooks, or omit webhooks to notify all of them.';
        return unknownId(webhooks, id, { path: `/alerts/rules/${index}/webhooks`, code: 'no_webhook', hint });
      }),
      ...(rule.mailTo === undefined || mail !== undefined
        ? []
        : [
            {
              path: `/alerts/rules/${index}/mailTo`,
              message: 'there is no mail server in the settings',
              hint: 'Add reports.mail with the host of an SMTP server and the sender’s address.',
              code: 'no_mail_server',
            },
          ]),
      ...unknownId(known, rule.target, {
        path: `/alerts/rules/${index}/target`,
        code: 'no_target',
        hint: 'Use the id of one of the targets.',
      }),
      ...unknownId(journeys, rule.journey, {
        path: `/alerts/rules/${index}/journey`,
        code: 'no_journey',
        hint: 'Use the id of a probe without url, or * for each of them.',
      }),
    ]),
  ];
}

function unknownId(
  known: ReadonlySet<string>,
  id: string | undefined,
  problem: Pick<DocumentProblem, 'path' | 'code' | 'hint'>,
): DocumentProblem[] {
  if (id === undefined || known.has(id)) return [];
  return [{ ...problem, message: `there is ${problem.code.replace('_', ' ')} ${id}`, values: { id } }];
}

/** Links add a query, and everyone who may read the settings could read a password. */
function dashboardProblems(url: string | undefined): DocumentProblem[] {
  if (url === undefined) return [];
  const parsed = parseHttpUrl(url);
  const path = '/alerts/dashboardUrl';
  const hint = 'Write the address of the dashboard, such as https://lastbyte.example.com/';
  if (parsed === null) return [{ path, message: 'is not an http or https address', hint, code: 'not_http' }];
  if (hasCredentials(url)) return [{ path, message: 'contains a password', hint, code: 'has_password' }];
  return /[?#]/.test(url) ? [{ path, message: 'has a query or a fragment', hint, code: 'has_query' }] : [];
}

function ruleProblems(rule: AlertRule, path: string): DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  if ((rule.aboveMs === undefined) === (rule.availabilityBelow === undefined)) {
    const hint = 'aboveMs watches users’ times, availabilityBelow watches probes.';
    problems.push({ path, message: 'needs either aboveMs or availabilityBelow', hint, code: 'time_or_availability' });
  } else if (rule.availabilityBelow !== undefined && (rule.time ?? rule.statistic) !== undefined) {
    const hint = 'Omit time and statistic, or use aboveMs.';
    problems.push({ path, message: 'availability has no time or statistic', hint, code: 'availability_alone' });
  }
  const unfit = (rule.journey === undefined ? OF_JOURNEYS : OF_REQUESTS).filter((name) => rule[name] !== undefined);
  if (unfit.length > 0) {
    const names = unfit.join(', ');
    const message = `${names} ${rule.journey === undefined ? 'needs a journey' : 'cannot be asked of a journey, which is up or down'}`;
    const hint = 'With a journey go availabilityBelow, target, site and eachSite.';
    problems.push({ path, message, hint, code: 'journey_alone', values: { names } });
  }
  const { breaches = ALERT_RULE_DEFAULTS.breaches, evaluations = ALERT_RULE_DEFAULTS.evaluations } = rule;
  if (breaches > evaluations) {
    const hint = 'A rule fires if this many of the last evaluations were over the threshold.';
    problems.push({
      path: `${path}/breaches`,
      message: `${breaches} of ${evaluations} is impossible`,
      hint,
      code: 'impossible_breaches',
      values: { breaches: String(breaches), evaluations: String(evaluations) },
    });
  }
  return problems;
}
