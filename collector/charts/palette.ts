/** The dashboard's light colours by the names of its style sheet: a printed page is light. */
const PALETTE: Readonly<Record<string, string>> = {
  '--ink': '#161b22',
  '--quiet': '#59636f',
  '--panel': '#ffffff',
  '--phase-blocked': '#98a2ae',
  '--phase-dns': '#9bdcd3',
  '--phase-tcp': '#1d7d91',
  '--phase-tls': '#eda63f',
  '--phase-wait': '#3f5fb0',
  '--phase-receive': '#c3b1ec',
  '--phase-rest': '#dfe3e8',
  '--on-phase-blocked': '#12161c',
  '--on-phase-dns': '#12161c',
  '--on-phase-tcp': '#ffffff',
  '--on-phase-tls': '#1b1203',
  '--on-phase-wait': '#ffffff',
  '--on-phase-receive': '#191033',
  '--on-phase-rest': '#12161c',
  '--connection-new': '#eda63f',
  '--connection-reused': '#3f5fb0',
  '--connection-cache': '#a9cfc0',
  '--connection-opaque': '#98a2ae',
  '--connection-worker': '#c3b1ec',
  '--connection-failed': '#a3262b',
  '--connection-unknown': '#dfe3e8',
  '--on-connection-new': '#1b1203',
  '--on-connection-reused': '#ffffff',
  '--on-connection-cache': '#0d1f18',
  '--on-connection-opaque': '#12161c',
  '--on-connection-worker': '#191033',
  '--on-connection-failed': '#ffffff',
  '--on-connection-unknown': '#12161c',
  '--gap-median': '#4a5563',
  '--gap-setup': '#eda63f',
  '--gap-tail': '#3f5fb0',
  '--gap-spread': '#98a2ae',
  '--gap-mean': '#98a2ae',
};

/** A file has no style sheet to resolve the names. An unknown name is drawn in ink rather than left out. */
export function inPlainColours(svg: string): string {
  const ink = PALETTE['--ink'] ?? '#000000';
  return svg.replace(/var\((--[a-z-]+)\)/g, (_, name: string) => PALETTE[name] ?? ink).replaceAll('currentColor', ink);
}
