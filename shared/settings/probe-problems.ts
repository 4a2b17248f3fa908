import { DEFAULT_REQUESTS_PER_HOUR, requestsOf, requestsPerHourOf } from '../probes/probe-budget.ts';
import { hasCredentials, parseHttpUrl } from '../redact/http-url.ts';
import type { ProbeSettings } from './probe-settings.ts';

interface Problem {
  readonly path: string;
  readonly message: string;
  readonly hint: string;
}

/** What is wrong with the probes beyond their schema. */
export function probeProblems(
  probes: ProbeSettings | undefined,
  targets: readonly { readonly id: string }[],
): Problem[] {
  if (!probes) return [];
  const ids = new Set(targets.map(({ id }) => id));
  const seen = new Set<string>();
  const problems = probes.schedule.flatMap((probe, place): Problem[] => {
    const path = `/probes/schedule/${place}`;
    const found: Problem[] = [];
    if (seen.has(probe.id)) {
      found.push({
        path: `${path}/id`,
        message: `the id ${probe.id} is used twice`,
        hint: 'Each probe needs its own.',
      });
    }
    seen.add(probe.id);
    if (!ids.has(probe.target)) {
      const hint = 'Name the id of one of the targets, whose samples these will be.';
      found.push({ path: `${path}/target`, message: `there is no target ${probe.target}`, hint });
    }
    return [...found, ...addressProblems(probe, path)];
  });
  return [...problems, ...budgetProblems(probes)];
}

function budgetProblems({ schedule, requestsPerHour = DEFAULT_REQUESTS_PER_HOUR }: ProbeSettings): Problem[] {
  const sum = requestsPerHourOf(schedule);
  if (sum <= requestsPerHour) return [];
  const terms = schedule.map((probe) => `${probe.id} ${requestsOf(probe)} × ${Math.ceil(60 / probe.everyMinutes)}`);
  return [
    {
      path: '/probes',
      message: `the schedule may take ${sum} requests per browser and hour (${terms.join(' + ')}), more than the ${requestsPerHour} allowed`,
      hint: 'Probe less often, with fewer repetitions, or raise probes.requestsPerHour.',
    },
  ];
}

function addressProblems({ url, otherUrl, steps }: ProbeSettings['schedule'][number], path: string): Problem[] {
  const hint = 'Write it with its scheme: https://erp.example.com/logo.png';
  if ((url === undefined) === (steps === undefined)) {
    return [
      { path, message: 'has either a url or steps', hint: 'A url makes it a probe sequence, steps make it a script.' },
    ];
  }
  const problems = [...(steps ?? []).map((step) => step.url), ...(url === undefined ? [] : [url])].flatMap(
    (address, place) => {
      const where = steps ? `${path}/steps/${place}/url` : `${path}/url`;
      if (hasCredentials(address)) {
        return [
          { path: where, message: 'names a user', hint: 'Leave out what stands before the @: probes log in nowhere.' },
        ];
      }
      if (parseHttpUrl(address) !== null) return [];
      return [{ path: where, message: `${address} is not an address`, hint }];
    },
  );
  if (otherUrl === undefined) return problems;
  const other = parseHttpUrl(otherUrl);
  if (other !== null && other.scheme !== parseHttpUrl(url ?? '')?.scheme) return problems;
  const otherHint = 'It is the same resource over the other scheme, http or https.';
  return [...problems, { path: `${path}/otherUrl`, message: `${otherUrl} is not the other address`, hint: otherHint }];
}
