import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { loggedError } from '../../../collector/http/api/error-handler.ts';
import { HttpError } from '../../../collector/http/api/errors.ts';
import { StoreError } from '../../../collector/storage/store-error.ts';

test('failures are logged with their cause, refusals of what is too much are not', () => {
  const logged: unknown[] = [];
  const request = {
    log: { error: (fields: { code: string }) => logged.push(fields.code) },
  } as unknown as FastifyRequest;
  loggedError(request, new HttpError('busy', 'too much', 'Come back.', { retryAfterSeconds: 5 }));
  loggedError(request, new StoreError('store_busy', 'too many wait', 'Come back.'));
  loggedError(request, new HttpError('rate_limited', 'too much', 'Come back.', { retryAfterSeconds: 5 }));
  expect(logged).toEqual([]);
  loggedError(request, new StoreError('store_full', 'the disk is full', 'Make room.'));
  loggedError(request, new Error('a bug'));
  expect(logged).toEqual(['store_full', 'internal_error']);
});
