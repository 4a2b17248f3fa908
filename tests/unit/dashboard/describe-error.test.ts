import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError, UnreachableError } from '../../../collector/dashboard/api/api-error.ts';
import { describeError, toDetails, toHeadline } from '../../../collector/dashboard/api/describe-error.ts';
import { t as german } from '../../../collector/dashboard/text/t.de.ts';
import { t as english } from '../../../collector/dashboard/text/t.ts';
import { ERROR_STATUS } from '../../../collector/http/api/errors.ts';

describe('an error in words', () => {
  afterEach(() => vi.restoreAllMocks());
  const error = new ApiError(400, 'invalid_range', 'to must be after from', 'Swap them.');

  it('is the collector’s own message where the page has no headline for the code', () => {
    expect(toHeadline(error)).toBe('To must be after from.');
    expect(toDetails(error)).toEqual(['Swap them.']);
    expect(describeError(error)).toBe('To must be after from. Swap them.');
    expect(describeError(new UnreachableError())).toBe('The collector does not respond.');
  });

  it('begins with an address as that is written', () => {
    const fix = 'Give it as https://host.';
    for (const address of ['https://x.example.com/?a', 'lastbyte.example.com', 'erp:8443.example']) {
      const message = `${address} is not an address`;
      expect(describeError(new Error(message))).toBe(`${message}.`);
      expect(describeError(new ApiError(400, 'x', message, fix))).toBe(`${message}. ${fix}`);
    }
    expect(describeError(new Error('no value. none'))).toBe('No value. none.');
  });

  it('is not repeated in English after a headline that says it all', () => {
    vi.spyOn(english.app, 'errors', 'get').mockReturnValue(german.app.errors);
    const key = new ApiError(400, 'invalid_key', 'this is no key that browsers can send with', 'Create a key.');
    expect(describeError(key)).toBe(german.app.errors.headlines.invalid_key);
    const failed = new ApiError(500, 'packaging_failed', '/data/packages cannot be written', 'Make room.');
    expect(toDetails(failed)).toEqual(['/data/packages cannot be written.', 'Make room.']);
  });

  it('has a German headline only for codes that exist', () => {
    const codes = Object.keys(german.app.errors.headlines);
    expect(codes.filter((code) => !(code in ERROR_STATUS))).toEqual([]);
    expect(codes).toContain(error.code);
    expect(german.app.errors.complete.filter((code) => !codes.includes(code))).toEqual([]);
  });
});
