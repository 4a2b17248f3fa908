import type { SentRow } from '../background/sent-log.ts';
import type { Status } from '../background/status.ts';
import type { ConnectionResult } from '../background/test-connection.ts';
import type { RobotOrder } from '../journey/robot-run.ts';
import type { ConnectionRequest, Message, OrderRequest, SentRequest, WantedRequest } from '../messages.ts';
import { platform } from '../platform.ts';

/** Sends a request to the background, waking it if necessary. */
export function ask(request: SentRequest): Promise<readonly SentRow[]>;
export function ask(request: ConnectionRequest): Promise<ConnectionResult>;
export function ask(request: OrderRequest): Promise<RobotOrder | null>;
export function ask(request: WantedRequest): Promise<boolean>;
export function ask(request: Message): Promise<Status>;
export function ask(request: Message): Promise<unknown> {
  return platform.runtime.sendMessage(request);
}
