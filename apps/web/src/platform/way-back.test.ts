import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWayBack } from './way-back.ts';

test('a person is sent back to a site or to an app, and to nothing that runs in the page', () => {
  for (const address of [
    'https://shop.example/cb?code=a',
    'http://localhost:3000/cb',
    'com.example.app:/cb?code=a',
  ])
    assert.equal(isWayBack(address), true, address);
  for (const address of ['javascript:alert(1)', 'data:text/html,x', 'blob:https://x.example/1', '/auth', ''])
    assert.equal(isWayBack(address), false, address);
});
