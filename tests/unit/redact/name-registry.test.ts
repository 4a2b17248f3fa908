import { expect, it } from 'vitest';
import { admitNames, EMPTY_NAME_REGISTRY } from '../../../shared/redact/name-registry.ts';

const LIMITS = { hostsPerTarget: 2, templatesPerHost: 2 };

it('folds hosts and templates beyond the limits, counts them, and keeps known ones', () => {
  let registry = EMPTY_NAME_REGISTRY;
  const admit = (host: string, template: string) => {
    const admitted = admitNames(registry, { target: 't', host, template }, LIMITS);
    registry = admitted.registry;
    return [admitted.host, admitted.template];
  };
  expect(admit('a', '/1')).toEqual(['a', '/1']);
  expect(admit('a', '/2')).toEqual(['a', '/2']);
  expect(admit('a', '/3')).toEqual(['a', '(other)']);
  expect(admit('constructor', '/1')).toEqual(['constructor', '/1']);
  expect(admit('c', '/1')).toEqual(['(other)', '(other)']);
  const before = registry;
  expect(admit('a', '/2')).toEqual(['a', '/2']);
  expect(registry).toBe(before);
  expect(registry).toMatchObject({ foldedHosts: 1, foldedTemplates: 1 });
  expect(admitNames(registry, { target: 'u', host: 'c', template: '/1' }, LIMITS).host).toBe('c');
});
