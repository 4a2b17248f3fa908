import { test } from 'vitest';
import { page, recordingOf, save, servePages } from '/root/wt/pt/tests/browser/fixture/broken-pages.ts';
import { startJourneyApp } from '/root/wt/pt/tests/browser/fixture/journey-app.ts';
import { startRobot } from '/root/wt/pt/tests/browser/fixture/robot.ts';
test('x', async () => {
  const app = await startJourneyApp();
  const t0 = Date.now(); const lap = (w: string) => console.log(w, Date.now() - t0);
  const robot = await startRobot((process.env.ENG ?? 'firefox') as 'firefox', app.origin);
  lap('started');
  for (const [name, body] of Array.from({length: 40}, (_, i) => i % 2 ? ['frame',`<iframe srcdoc='<button id=save>Save</button>'></iframe>`] : ['newtab', '<a id="save" href="/login/x" target="_blank">Save</a>'])) {
    servePages(app, { '/shop': page(body as string) });
    const r = await robot.replay(recordingOf(app, save)).catch((e) => String(e));
    if (JSON.stringify(r).includes('not_settled')) lap(name + ' ' + JSON.stringify(r).slice(0, 500)); else lap(name);
  }
  await robot.close();
  await app.close();
}, 190000);
