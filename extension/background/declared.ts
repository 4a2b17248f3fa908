import type { KeyValueStorage } from './state-store.ts';

/** What a browser does only where its own machine says so: neither a collector nor an enrolment can. */
export type Role = 'recorder' | 'robot';
/** The organisation's policy, a person's click on the options page, or neither. */
export type DeclaredBy = 'policy' | 'user' | null;
/** Kept under `declared`. */
export type Clicked = { readonly [Each in Role]?: boolean };

type Source = Pick<KeyValueStorage, 'get'>;

/** A policy that says `false` forbids the click too. */
export async function declared(role: Role, policy: Source, local: Source): Promise<DeclaredBy> {
  const byPolicy = (await policy.get(role))[role];
  if (typeof byPolicy === 'boolean') return byPolicy ? 'policy' : null;
  const clicked = (await local.get('declared')).declared as Clicked | undefined;
  return clicked?.[role] === true ? 'user' : null;
}
