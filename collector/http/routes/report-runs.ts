import { Type } from 'typebox';
import { object } from '../../../shared/vocabulary/json-schema.ts';
import type { ReportSchedule } from '../../reports/schedule/report-schedule.ts';
import type { TypedApp } from '../api/app-deps.ts';
import { HttpError } from '../api/errors.ts';
import { route, toMoment } from '../schemas/common-schemas.ts';
import { RunsSchema } from '../schemas/control-answers.ts';

const PATH = '/api/v1/report-runs';
/** Messages contain hosts, addresses and paths of secret files. */
function codeOf(text: string): string {
  return /^[a-z_]+(?=: )/.exec(text)?.[0] ?? 'failed';
}

/** `GET` lists the runs of scheduled reports; `POST` runs one now. Neither reveals addresses. */
export function reportRunsRoutes(app: TypedApp, schedule: ReportSchedule): void {
  app.get(PATH, {
    ...route(['read', 'admin'], 'Scheduled reports: when each is due, and the results of the last runs.', RunsSchema),
    handler: async (request) => {
      const { reports, runs } = await schedule.status();
      const shown = request.token?.role === 'admin' ? (text: string) => text : codeOf;
      return {
        reports: reports.map(({ report, next }) => ({ report, next: toMoment(next) })),
        runs: runs.map(({ due, nextAt, endedAt, done, files, errors, ...run }) => ({
          ...run,
          errors: Object.fromEntries(Object.entries(errors).map(([channel, text]) => [channel, shown(text)])),
          due: toMoment(due),
          nextAt: toMoment(nextAt),
          endedAt: toMoment(endedAt),
          done: [...done],
          files: [...files],
        })),
      };
    },
  });

  app.post(PATH, {
    ...route(
      ['admin'],
      'Make a scheduled report now.',
      object({ report: Type.String() }),
      {
        example: { report: 'monthly' },
        body: object({ report: Type.String({ maxLength: 63, description: 'Its id in the settings.' }) }),
      },
      202,
    ),
    handler: async (request, reply) => {
      const { report } = request.body;
      if (!(await schedule.runNow(report))) {
        throw new HttpError('not_found', 'there is no such report', 'Use an id of reports.schedule in the settings.');
      }
      reply.code(202);
      return { report };
    },
  });
}
