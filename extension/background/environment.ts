/** The clock, randomness and network, passed in so that unit tests can control them. */
export interface Environment {
  /** Epoch milliseconds. */
  now(): number;
  /** 0 ≤ x < 1. */
  random(): number;
  uuid(): string;
  fetch(url: string, init: RequestInit): Promise<Response>;
}

export const environment: Environment = {
  now: () => Date.now(),
  random: () => Math.random(),
  uuid: () => crypto.randomUUID(),
  fetch: (url, init) => fetch(url, init),
};
