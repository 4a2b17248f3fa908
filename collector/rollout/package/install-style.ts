/** Styles of `/install`, which loads no image, font or script. */
export const INSTALL_STYLE = `:root {
  color-scheme: light dark;
  --ink: #1b2330;
  --quiet: #566072;
  --paper: #ffffff;
  --card: #f4f6f9;
  --line: #d5dbe4;
  --accent: #0b57b0;
  --on-accent: #ffffff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6eaf0;
    --quiet: #a3adbd;
    --paper: #14181f;
    --card: #1d232d;
    --line: #343d4b;
    --accent: #7db7ff;
    --on-accent: #0d1420;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--paper);
  color: var(--ink);
  font: 16px/1.55 system-ui, sans-serif;
}
main { max-width: 44rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 0.25rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 0.5rem; }
p, ol, ul { margin: 0.5rem 0; }
li { margin: 0.35rem 0; }
.lead { color: var(--quiet); font-size: 1.05rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 0.5rem 1.25rem 1rem; margin: 1.5rem 0; }
.card h2 { margin-top: 0.75rem; }
.note { border-left: 4px solid var(--accent); padding-left: 0.9rem; }
a { color: var(--accent); }
a:focus-visible, summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.button {
  display: inline-block;
  background: var(--accent);
  color: var(--on-accent);
  border-radius: 8px;
  padding: 0.6rem 1.1rem;
  font-weight: 600;
  text-decoration: none;
}
code { font: 0.92em ui-monospace, monospace; overflow-wrap: anywhere; }
details { border-top: 1px solid var(--line); padding: 0.6rem 0; }
summary { cursor: pointer; font-weight: 600; }
footer { color: var(--quiet); font-size: 0.9rem; margin-top: 2rem; }
`;
