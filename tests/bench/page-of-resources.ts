import type { Target } from '../../shared/settings/settings-schema.ts';

export const RESOURCES = 500;

export const APP_HOST = 'app.bench.test';
export const APP_TARGETS: Target[] = [{ id: 'app', name: 'App', match: [`http://${APP_HOST}/*`] }];

/** Each picture has a size of its own, so that one that is missing cannot hide behind one that came twice. */
const pictures = Array.from({ length: RESOURCES }, (_, index) => `<img src="/wait/0/picture.gif?more=${index}">`);

/** Waits for its turn, which the test app's `release` gives it, and goes on by itself: nobody holds the browser meanwhile. */
const turn = `<!doctype html><title>turn</title><script>
fetch('/hold/' + location.search.slice(1)).then(() => location.replace('/timed' + location.search));
</script>`;

/** Tells its own loadEventEnd, as the path of a request, and waits for the next turn. */
const timed = `<!doctype html><title>timed</title>${pictures.join('')}<script>
addEventListener('load', () => setTimeout(() => {
  const [name, turn] = location.search.slice(1).split('-');
  const [{ loadEventEnd }] = performance.getEntriesByType('navigation');
  fetch('/wait/0/loaded/' + name + '-' + turn + '/' + loadEventEnd)
    .then(() => location.replace('/turn?' + name + '-' + (Number(turn) + 1)));
}));
</script>`;

/** Says that it is there: a browser may ask for a page long before it has a document of it. */
const first = `<!doctype html><title>first</title><script>
addEventListener('load', () => fetch('/wait/0/there'));
</script>`;

/** What the test app serves; every picture's template is PICTURE. */
export const APP_PAGES = {
  '/ready': '<!doctype html><title>ready</title>',
  '/first': first,
  '/resources': `<!doctype html><title>resources</title>${pictures.join('')}`,
  '/turn': turn,
  '/timed': timed,
};
export const PICTURE = '/wait/{n}/picture.gif';
