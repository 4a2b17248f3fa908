import type {
  ConnectionRequest,
  DeclareRequest,
  EnrolRequest,
  PauseRequest,
  RefreshRequest,
  ResetRequest,
  SentRequest,
  StatusRequest,
} from '../messages.ts';
import type { Agent, AgentDeps } from './agent.ts';
import type { Environment } from './environment.ts';
import type { SentRow } from './sent-log.ts';
import type { Status } from './status.ts';
import { type ConnectionResult, testConnection } from './test-connection.ts';

export type PageRequest =
  | StatusRequest
  | RefreshRequest
  | PauseRequest
  | SentRequest
  | ConnectionRequest
  | EnrolRequest
  | ResetRequest
  | DeclareRequest;

export interface PageRequestDeps extends Pick<AgentDeps, 'state' | 'pause' | 'sent' | 'enrolment'> {
  readonly agent: Agent;
  readonly environment: Environment;
  /** A pause began or ended. */
  readonly pauseChanged: () => Promise<unknown>;
}

/** Answers requests of the popup and the options page. Web pages and content scripts have no access. */
export class PageRequests {
  readonly #deps: PageRequestDeps;

  constructor(deps: PageRequestDeps) {
    this.#deps = deps;
  }

  async answer(request: PageRequest): Promise<Status | ConnectionResult | readonly SentRow[]> {
    const { agent, sent, pause, pauseChanged } = this.#deps;
    switch (request.kind) {
      case 'status':
        return agent.status();
      case 'refresh':
        await agent.refresh();
        return agent.status();
      case 'sent':
        return sent.rows();
      case 'pause':
        if (request.length === null) await pause.end();
        else await pause.begin(request.length);
        await pauseChanged();
        return agent.status();
      case 'test-connection':
        return testConnection(await this.#completed(request), this.#deps.environment);
      case 'enrol':
        // Another collector is not trusted with what this one was.
        if (request.collector !== (await this.#deps.enrolment())?.collector) await this.#deps.state.forget('declared');
        await this.#deps.state.write('enrolment', { ...(await this.#completed(request)), site: request.site });
        await agent.refresh();
        return agent.status();
      case 'declare':
        await this.#deps.state.change('declared', (before) => ({ ...before, [request.role]: request.on }));
        return agent.status();
      case 'reset':
        return this.#reset();
    }
  }

  /** The key in use never goes to a page, so an empty one stands for it, and only for the collector it was issued by. */
  async #completed(typed: ConnectionRequest | EnrolRequest): Promise<{ collector: string; key: string }> {
    const collector = typed.collector.replace(/\/+$/, '');
    if (typed.key !== '') return { collector, key: typed.key };
    const enrolment = await this.#deps.enrolment();
    return { collector, key: enrolment?.collector === collector ? enrolment.key : '' };
  }

  async #reset(): Promise<Status> {
    const { agent, state } = this.#deps;
    // Names and idle times reveal what was used; the list of what was sent reveals it to anyone at this screen.
    for (const name of ['client', 'names', 'answered', 'sent'] as const) await state.forget(name);
    return agent.status();
  }
}
