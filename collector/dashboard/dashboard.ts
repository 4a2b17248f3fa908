import { createApiClient } from './api/api-client.ts';
import { startApp } from './layout/app.ts';
import type { Regions } from './layout/regions.ts';
import { installTooltip } from './render/tooltip.ts';

const region = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`index.html has no #${id}`);
  return found;
};

const regions: Regions = {
  header: region('header'),
  views: region('views'),
  account: region('account'),
  controls: region('controls'),
  status: region('status'),
  banner: region('banner'),
  main: region('main'),
  news: region('news'),
};

installTooltip(document.body);
startApp(regions, createApiClient(window.fetch.bind(window)), Date.now);
