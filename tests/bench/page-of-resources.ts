import type { Target } from '../../shared/settings/settings-schema.ts';

export const RESOURCES = 500;

export const APP_HOST = 'app.bench.test';
export const APP_TARGETS: Target[] = [{ id: 'app', name: 'App', match: [`http://${APP_HOST}/*`] }];

/** Each picture has a size of its own, so that one that is missing cannot hide behind one that came twice. */
const pictures = Array.from({ length: RESOURCES }, (_, index) => `<img src="/wait/0/picture.gif?more=${index}">`);

/** What the test app serves; every picture's template is PICTURE. */
export const APP_PAGES = {
  '/ready': '<!doctype html><title>ready</title>',
  '/resources': `<!doctype html><title>resources</title>${pictures.join('')}`,
};
export const PICTURE = '/wait/{n}/picture.gif';
