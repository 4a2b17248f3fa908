/** What the background takes from outside, so that unit tests can drive time, chance and the network. */
export interface Environment {
  /** Epoch milliseconds. */
  now(): number;
  /** 0 ≤ x < 1. */
  random(): number;
  uuid(): string;
  fetch(url: string, init: RequestInit): Promise<Response>;
}

/** The real ones. */
export const environment: Environment = {
  now: () => Date.now(),
  random: () => Math.random(),
  uuid: () => crypto.randomUUID(),
  fetch: (url, init) => fetch(url, init),
};
