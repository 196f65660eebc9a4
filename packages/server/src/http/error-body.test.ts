import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorKey, errorCatalogue } from '@symbolon/protocol';
import { PlatformError } from '../core/errors.ts';
import { errorBody } from './error-body.ts';

const BASE = 'https://api.example.com';
const keys = Object.keys(errorCatalogue) as ErrorKey[];

test('every error has the whole address of its key, and a path where the address is not known', () => {
  for (const key of keys) {
    assert.equal(errorBody(new PlatformError(key), BASE).docs, `${BASE}/errors#${key}`);
    assert.equal(errorBody(new PlatformError(key), '').docs, `/errors#${key}`);
  }
});
