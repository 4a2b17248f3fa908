/** Event of the window before a user signs out; one that is prevented keeps the session. */
export const SIGNING_OUT = 'signing-out';
