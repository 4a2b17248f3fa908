/** A token handed over in the fragment is used once, and leaves the address and the history at once. */
export function takeToken(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return token === '' ? null : token;
}
