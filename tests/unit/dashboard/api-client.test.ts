import { describe, expect, it } from 'vitest';
import { createApiClient } from '../../../collector/dashboard/api/api-client.ts';
import { ApiError, UnreachableError } from '../../../collector/dashboard/api/api-error.ts';
import { describeError } from '../../../collector/dashboard/api/describe-error.ts';

const answering = (status: number, body: string) => createApiClient(async () => new Response(body || null, { status }));

describe('api client', () => {
  it('treats 401 as signed out', async () => {
    expect(await answering(401, '{"error":{"code":"unauthorized"}}').role()).toBeNull();
  });

  it('passes on code, message and hint of an error', async () => {
    const error = { code: 'store_full', message: 'the disk is full', hint: 'Make room.' };
    const failed = answering(507, JSON.stringify({ error })).summary('', new AbortController().signal);
    await expect(failed).rejects.toMatchObject({ status: 507, ...error });
    await expect(failed.catch(describeError)).resolves.toBe('The disk is full. Make room.');
  });

  it('uses the status if the response is a proxy’s page', async () => {
    await expect(answering(502, '<h1>Bad gateway</h1>').role()).rejects.toMatchObject({ code: 'http_502' });
  });

  it('does not accept arbitrary JSON as a session', async () => {
    await expect(answering(200, '{"role":"root"}').role()).rejects.toBeInstanceOf(ApiError);
  });

  it('asks for answers in the language of the page', async () => {
    const asked: (string | null)[] = [];
    const client = createApiClient(async (_path, init) => {
      asked.push(new Headers(init?.headers).get('accept-language'));
      return new Response('{}');
    });
    await client.read('/probes');
    await client.send('/settings', { headers: { 'if-match': '"1"' } });
    expect(asked).toEqual(['en', 'en']);
  });

  it('distinguishes an unreachable collector from an aborted request', async () => {
    const down = createApiClient(() => Promise.reject(new TypeError('Failed to fetch')));
    await expect(down.role()).rejects.toBeInstanceOf(UnreachableError);
    const aborted = createApiClient(() => Promise.reject(new DOMException('stop', 'AbortError')));
    await expect(aborted.role()).rejects.toMatchObject({ name: 'AbortError' });
  });

  /** A response in pieces, cut anywhere, even within a character. */
  const inPieces = (text: string, size: number) => {
    const bytes = new TextEncoder().encode(text);
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.slice(i * size, (i + 1) * size),
    );
    const headers = { 'content-type': 'application/x-ndjson' };
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    });
    return createApiClient(async () => new Response(body, { headers }));
  };

  it.each([1, 3, 1000])(
    'reports progress of a long query and returns its answer, in pieces of %i bytes',
    async (size) => {
      const told: number[] = [];
      const text = '{"progress":0}\n{"progress":0.42}\n{"answer":{"host":"büro.example"}}\n';
      const answer = inPieces(text, size).read('/tls', undefined, (part) => told.push(part));
      await expect(answer).resolves.toEqual({ host: 'büro.example' });
      expect(told).toEqual([0, 0.42]);
    },
  );

  it('throws errors after the start, and treats a truncated response as unreachable', async () => {
    const error = { code: 'samples_expired', message: 'single samples are gone', hint: 'Ask for whole hours.' };
    const read = (text: string) => inPieces(text, 7).read('/tls', undefined, () => {});
    await expect(read(`{"progress":0.1}\n${JSON.stringify({ error })}\n`)).rejects.toMatchObject(error);
    await expect(read('{"progress":0.1}\n')).rejects.toBeInstanceOf(UnreachableError);
  });
});
