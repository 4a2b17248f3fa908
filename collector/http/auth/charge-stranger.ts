import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IntakeGate } from '../../ingest/intake.ts';

/** Charges the address of a request that has no valid token, or asks for a session; past its limit also a connection each. */
export function chargeStranger(gate: IntakeGate, request: FastifyRequest, reply: FastifyReply, cost?: number): void {
  // Reset meanwhile: it has no address any more.
  if (request.ip === undefined) return;
  try {
    gate.chargeStranger(request.ip, cost);
  } catch (refusal) {
    reply.header('connection', 'close');
    throw refusal;
  }
}
