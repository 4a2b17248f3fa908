import { createApiClient } from './api/api-client.ts';
import { type Regions, startApp } from './app.ts';
import { installTooltip } from './render/tooltip.ts';

const region = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`index.html has no #${id}`);
  return found;
};

const regions: Regions = {
  header: region('header'),
  account: region('account'),
  controls: region('controls'),
  status: region('status'),
  main: region('main'),
  footer: region('footer'),
  news: region('news'),
};

installTooltip(document.body);
startApp(regions, createApiClient(window.fetch.bind(window)), Date.now);
