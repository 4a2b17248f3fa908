import { describe, expect, it } from 'vitest';
import { ApiError, UnreachableError } from '../../../collector/dashboard/api/api-error.ts';
import { describeError, toDetails, toHeadline } from '../../../collector/dashboard/api/describe-error.ts';
import { t as german } from '../../../collector/dashboard/text/t.de.ts';
import { ERROR_STATUS } from '../../../collector/http/api/errors.ts';

describe('an error in words', () => {
  const error = new ApiError(400, 'invalid_range', 'to must be after from', 'Swap them.');

  it('is the collector’s own message where the page has no headline for the code', () => {
    expect(toHeadline(error)).toBe('To must be after from.');
    expect(toDetails(error)).toEqual(['Swap them.']);
    expect(describeError(error)).toBe('To must be after from. Swap them.');
    expect(describeError(new UnreachableError())).toBe('The collector does not respond.');
  });

  it('has a German headline only for codes that exist', () => {
    const codes = Object.keys(german.app.errors.headlines);
    expect(codes.filter((code) => !(code in ERROR_STATUS))).toEqual([]);
    expect(codes).toContain(error.code);
  });
});
