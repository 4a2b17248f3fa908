import { render } from 'preact';
import { createApiClient } from './api/api-client.ts';
import { App, takeToken } from './app/app.tsx';

const root = document.getElementById('app');
if (root === null) throw new Error('index.html has no #app');
render(<App client={createApiClient(window.fetch.bind(window))} token={takeToken()} now={Date.now} />, root);
