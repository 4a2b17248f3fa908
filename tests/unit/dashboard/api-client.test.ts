import { describe, expect, it } from 'vitest';
import { createApiClient } from '../../../collector/dashboard/api/api-client.ts';
import { ApiError, UnreachableError } from '../../../collector/dashboard/api/api-error.ts';
import { describeError } from '../../../collector/dashboard/api/describe-error.ts';

const answering = (status: number, body: string) => createApiClient(async () => new Response(body || null, { status }));

describe('the door to the collector', () => {
  it('takes 401 for nobody signed in', async () => {
    expect(await answering(401, '{"error":{"code":"unauthorized"}}').role()).toBeNull();
  });

  it('hands on code, message and hint of an error', async () => {
    const error = { code: 'store_full', message: 'the disk is full', hint: 'Make room.' };
    const failed = answering(507, JSON.stringify({ error })).summary('', new AbortController().signal);
    await expect(failed).rejects.toMatchObject({ status: 507, ...error });
    await expect(failed.catch(describeError)).resolves.toBe('The disk is full. Make room.');
  });

  it('names the status where the answer is a proxy’s page', async () => {
    await expect(answering(502, '<h1>Bad gateway</h1>').role()).rejects.toMatchObject({ code: 'http_502' });
  });

  it('does not take any JSON for a session', async () => {
    await expect(answering(200, '{"role":"root"}').role()).rejects.toBeInstanceOf(ApiError);
  });

  it('tells an unreachable collector from an aborted read', async () => {
    const down = createApiClient(() => Promise.reject(new TypeError('Failed to fetch')));
    await expect(down.role()).rejects.toBeInstanceOf(UnreachableError);
    const aborted = createApiClient(() => Promise.reject(new DOMException('stop', 'AbortError')));
    await expect(aborted.role()).rejects.toMatchObject({ name: 'AbortError' });
  });
});
