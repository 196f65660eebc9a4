import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLoopbackHost } from './ip-address.ts';

test('a Host header names this machine by its name or an address of it, with a port or without', () => {
  for (const host of ['localhost', 'LOCALHOST:8080', '127.0.0.1', '127.0.0.1:80', '[::1]', '[::1]:8080'])
    assert.equal(isLoopbackHost(host), true, host);
  for (const host of [undefined, '', 'a.example', 'localhost.a.example', '[::2]', '10.0.0.1:80'])
    assert.equal(isLoopbackHost(host), false, host);
});
