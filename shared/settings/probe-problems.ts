import { readRecording } from '../journeys/read-recording.ts';
import { stepsWithSecrets } from '../journeys/secret-values.ts';
import { asksPrivateContent } from '../probes/private-content.ts';
import { countRequests, countRequestsPerHour, DEFAULT_REQUESTS_PER_HOUR } from '../probes/probe-budget.ts';
import { hasCredentials, parseHttpUrl } from '../redact/http-url.ts';
import { type DocumentProblem, repeatedIds } from '../vocabulary/document-problem.ts';
import type { ProbeSettings } from './probe-settings.ts';
import type { Target } from './settings-schema.ts';

/** Problems of the probes that their schema does not catch. */
export function probeProblems(
  probes: ProbeSettings | undefined,
  targets: readonly Pick<Target, 'id' | 'match'>[],
): DocumentProblem[] {
  if (!probes) return [];
  const ids = new Set(targets.map(({ id }) => id));
  const problems = probes.schedule.flatMap((probe, index): DocumentProblem[] => {
    const path = `/probes/schedule/${index}`;
    const found = [
      ...addressProblems(probe, path),
      ...journeyProblems(probe, path, targets.find(({ id }) => id === probe.target)?.match ?? null),
    ];
    if (ids.has(probe.target)) return found;
    const hint = 'Use the id of one of the targets; the samples will belong to it.';
    return [
      {
        path: `${path}/target`,
        message: `there is no target ${probe.target}`,
        hint,
        code: 'no_target',
        values: { id: probe.target },
      },
      ...found,
    ];
  });
  return [
    ...repeatedIds('/probes/schedule', probes.schedule, 'Each probe needs its own.'),
    ...problems,
    ...budgetProblems(probes),
  ];
}

/** Only refused in new documents: of a stored one, `toExtensionSettings` leaves out such a probe. */
export function privateContentProblems(probes: ProbeSettings | undefined): DocumentProblem[] {
  return (probes?.schedule ?? []).flatMap(({ id, cookies, steps = [] }, index) =>
    steps.flatMap((step, at) => {
      if (!asksPrivateContent({ cookies, steps: [step] })) return [];
      const path = `/probes/schedule/${index}/steps/${at}/text`;
      const message = `the probe ${id} sends the user's cookies and looks for a text`;
      const hint =
        'Remove the text, or the cookies: a probe must not tell what signed-in pages say. Until then it does not run.';
      return [{ path, message, hint, code: 'text_with_cookies', values: { id } }];
    }),
  );
}

/** The hours between two runs of a recording that does not say that it may be repeated more often. */
const UNREPEATABLE_MINUTES = 60;

function journeyProblems(
  { recording, everyMinutes }: ProbeSettings['schedule'][number],
  path: string,
  patterns: readonly string[] | null,
): DocumentProblem[] {
  if (recording === undefined) return [];
  const verdict = readRecording(recording, patterns);
  if (!verdict.ok) {
    return verdict.problems.map(({ step, path: within, message, ...problem }) => ({
      ...problem,
      path: `${path}/recording${within}`,
      message: step === null ? message : `step ${step}: ${message}`,
    }));
  }
  const secrets = stepsWithSecrets(recording);
  if (secrets.length > 0) {
    const steps = secrets.join(', ');
    return [
      {
        path: `${path}/recording`,
        message: `the recording has a secret in plain text: step ${steps}`,
        hint: 'Replace the value by a variable, such as {{password}}: robots have its value, and the settings never do.',
        code: 'secret_value',
        values: { steps },
      },
    ];
  }
  if (everyMinutes >= UNREPEATABLE_MINUTES || recording.lastbyte?.repeatable === true) return [];
  return [
    {
      path: `${path}/everyMinutes`,
      message: `the recording does not say that it is safe to repeat every ${everyMinutes} minutes`,
      hint: `Choose at least ${UNREPEATABLE_MINUTES}, or write "lastbyte": {"repeatable": true} into the recording if it changes nothing.`,
      code: 'not_repeatable',
      values: { minutes: String(everyMinutes), least: String(UNREPEATABLE_MINUTES) },
    },
  ];
}

function budgetProblems({ schedule, requestsPerHour = DEFAULT_REQUESTS_PER_HOUR }: ProbeSettings): DocumentProblem[] {
  const sum = countRequestsPerHour(schedule);
  if (sum <= requestsPerHour) return [];
  const terms = schedule.map((probe) => `${probe.id} ${countRequests(probe)} × ${Math.ceil(60 / probe.everyMinutes)}`);
  return [
    {
      path: '/probes',
      message: `the schedule may take ${sum} requests per browser and hour (${terms.join(' + ')}), more than the ${requestsPerHour} allowed`,
      hint: 'Probe less often, with fewer repetitions, or raise probes.requestsPerHour.',
      code: 'over_budget',
      values: { needed: String(sum), allowed: String(requestsPerHour) },
    },
  ];
}

function addressProblems(
  { url, otherUrl, steps, recording }: ProbeSettings['schedule'][number],
  path: string,
): DocumentProblem[] {
  const hint = 'Include the scheme: https://erp.example.com/logo.png';
  if ([url, steps, recording].filter((each) => each !== undefined).length !== 1) {
    return [
      {
        path,
        message: 'needs a url, steps or a recording, and only one of them',
        hint: 'A url makes it a probe sequence, steps make it a script, a recording is replayed by robots.',
        code: 'url_or_steps',
      },
    ];
  }
  const problems = [...(steps ?? []).map((step) => step.url), ...(url === undefined ? [] : [url])].flatMap(
    (address, index) => {
      const where = steps ? `${path}/steps/${index}/url` : `${path}/url`;
      if (hasCredentials(address)) {
        const remove = 'Remove the part before the @: probes do not sign in.';
        return [{ path: where, message: 'names a user', hint: remove, code: 'names_user' }];
      }
      if (parseHttpUrl(address) !== null) return [];
      return [{ path: where, message: `${address} is not an address`, hint, code: 'not_address', values: { address } }];
    },
  );
  if (otherUrl === undefined) return problems;
  const other = parseHttpUrl(otherUrl);
  if (other !== null && other.scheme !== parseHttpUrl(url ?? '')?.scheme) return problems;
  const otherHint = 'It has to be the same resource over the other scheme, http or https.';
  return [
    ...problems,
    {
      path: `${path}/otherUrl`,
      message: `${otherUrl} is not the other address`,
      hint: otherHint,
      code: 'not_other_address',
      values: { address: otherUrl },
    },
  ];
}
