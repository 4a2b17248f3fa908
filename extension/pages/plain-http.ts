/** Key and samples would cross the network readable by anybody; to this machine itself they don't. */
export function isPlainHttpToOthers(address: string): boolean {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return false; // not typed to its end yet
  }
  return url.protocol === 'http:' && !/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
}
