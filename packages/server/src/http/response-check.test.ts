import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorKey } from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { PlatformError } from '../core/errors.ts';
import { checkError } from './response-check.ts';

const request = (url: string, config: object, is404 = false) =>
  ({ method: 'GET', is404, routeOptions: { url, config } }) as unknown as FastifyRequest;
const check = (key: ErrorKey, url: string, config: object, is404?: boolean) =>
  checkError(request(url, config, is404), new PlatformError(key));

test('a route that answers an error key that it does not declare fails the test', () => {
  const declared = { access: 'open', errors: ['photos.not_found'] };
  check('photos.not_found', '/api/photos/:id', declared);
  check('request.invalid', '/api/photos/:id', declared);
  check('auth.expired', '/api/photos/:id', { access: ['portal'] });
  check('photos.busy', '/internal/photos', {});
  check('photos.busy', '', {}, true);
  assert.throws(() => check('photos.busy', '/api/photos/:id', declared), {
    message:
      'GET /api/photos/:id answers photos.busy, which it does not declare: add it to the errors of the route.',
  });
  assert.throws(() => check('auth.expired', '/api/health', { access: 'open' }));
});
