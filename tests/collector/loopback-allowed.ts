import { createOutgoing, type Outgoing } from '../../collector/outgoing/outgoing.ts';

/** For receivers that tests run on this machine, which nothing reaches by default. */
export function loopbackAllowed(folder: string | null = null): Outgoing {
  return createOutgoing({ allow: ['127.0.0.1'], secrets: { folder, environment: process.env } });
}
