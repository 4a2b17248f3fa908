import { parseFleetQuery, runFleet } from '../../questions/asking/fleet.ts';
import type { TypedApp } from '../api/app-deps.ts';
import { FleetDocumentSchema } from '../schemas/fleet-schema.ts';
import { type QuestionDeps, questionRoute } from './question-route.ts';

export function fleetRoute(app: TypedApp, deps: QuestionDeps): void {
  questionRoute(app, deps, {
    url: '/api/v1/fleet',
    schema: FleetDocumentSchema,
    answer: (asker, parameters, now) => runFleet(asker, parseFleetQuery(parameters, now)),
  });
}
