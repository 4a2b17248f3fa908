import type { Mark } from '../../charts/drawing.ts';

export type RequestsBehind = NonNullable<Mark['requests']>;

/** What `?requests=` may ask of `/api/v1/samples`, besides the page's filters, or in their place. */
const NAMES = ['from', 'to', 'metric', 'min', 'max', 'order', 'connection', 'template'];

/** As the value of `?requests=`. */
export function formatRequests(behind: RequestsBehind): string {
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(behind)) {
    for (const value of typeof values === 'string' ? [values] : values) query.append(name, value);
  }
  return query.toString();
}

/** Parameters that the address may not ask for are dropped, such as another host. */
export function parseRequests(text: string): RequestsBehind {
  const query = new URLSearchParams(text);
  const known = NAMES.filter((name) => query.has(name));
  return Object.fromEntries(
    known.map((name) => [name, name === 'connection' ? query.getAll(name) : (query.get(name) ?? '')]),
  );
}

/** The page's question with the mark's bounds in place of its own. */
export function samplesQuery(ofPage: string, behind: RequestsBehind): string {
  const query = new URLSearchParams(ofPage);
  for (const [name, values] of Object.entries(behind)) {
    query.delete(name);
    for (const value of typeof values === 'string' ? [values] : values) query.append(name, value);
  }
  return query.toString();
}
