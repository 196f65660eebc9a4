import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { redirectUriProblem } from './redirect-uri.ts';

for (const uri of [
  'https://app.example',
  'https://app.example/',
  'https://app.example:8443/callback?tenant=a%20b',
  'https://xn--bcher-kva.example/cb',
  'https://192.0.2.1/cb',
  'http://127.0.0.1/cb',
  'http://127.0.0.1:51004/cb',
  'http://[::1]:3000/',
  'http://localhost:3000/auth/callback',
  'com.example.app:/oauth2redirect',
  'com.example.app://callback',
]) {
  test(`${uri} is a redirect URI`, () => assert.equal(redirectUriProblem(uri), undefined));
}

for (const uri of [
  '',
  'callback',
  '/callback',
  '//app.example/cb',
  'https:',
  'https://',
  'https:app.example/cb',
  'https:/app.example/cb',
  'https:///app.example',
  'https:\\\\app.example',
  'https://app.example/cb#here',
  'https://app.example/#',
  'com.example.app:/cb#x',
  'https://user@app.example/',
  'https://user:pass@app.example/',
  'https://*.app.example/',
  'https://app.example/a b',
  ' https://app.example/',
  'https://app.example/\n',
  'https://bücher.example/',
  'http://app.example/cb',
  'http://127.0.0.1.app.example/',
  'http://127.0.0.2/',
  'http://10.0.0.1/cb',
  'http://localhost.app.example/',
  'ws://localhost/',
  'ftp://app.example/',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'about:blank',
  'blob:https://app.example/x',
  'mailto:a@app.example',
  'myapp://callback',
]) {
  test(`${JSON.stringify(uri)} is refused`, () => assert.ok(redirectUriProblem(uri)));
}

test('whatever is taken leads to https, to this machine, or to an app', () => {
  const start = fc.constantFrom('http://', 'https://', 'HTTPS://', 'com.app:', 'javascript:', '', 'x:');
  fc.assert(
    fc.property(start, fc.oneof(fc.string(), fc.webUrl(), fc.domain()), (scheme, rest) => {
      const text = scheme + rest;
      if (redirectUriProblem(text) !== undefined) return;
      const { protocol, hostname, hash, username } = new URL(text);
      const loopback = protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
      assert.ok(protocol === 'https:' || loopback || protocol.includes('.'), text);
      assert.equal(hash + username, '');
      assert.match(text, /^[!-~]+$/);
    }),
    { numRuns: 5000 },
  );
});

for (const [uri, allowed] of [
  ['http://192.168.1.20:3000/cb', true],
  ['http://10.1.2.3/cb', true],
  ['http://172.31.0.1/cb', true],
  ['http://[fd12::1]/cb', true],
  ['http://172.32.0.1/cb', false],
  ['http://169.254.169.254/cb', false],
  ['http://192.168.1.20.app.example/cb', false],
  ['http://app.example/cb', false],
  ['http://8.8.8.8/cb', false],
] as const) {
  test(`the switch for development ${allowed ? 'allows' : 'does not allow'} ${uri}`, () => {
    assert.equal(redirectUriProblem(uri, true) === undefined, allowed);
    assert.ok(redirectUriProblem(uri));
  });
}

test('a host in Unicode is refused with the form to write', () => {
  const problem = redirectUriProblem('https://bücher.example:8443/cb');
  assert.equal(problem, 'has a host that is not ASCII: write it in punycode, xn--bcher-kva.example:8443');
  assert.doesNotMatch(redirectUriProblem('https://a.example/ü') ?? '', /punycode/);
});
