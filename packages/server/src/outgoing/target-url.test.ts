import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkTargetUrl } from './target-url.ts';

const production = { allowLoopback: false };
const development = { allowLoopback: true };

describe('checkTargetUrl', () => {
  for (const url of [
    'https://example.com',
    'https://example.com/hooks?key=1',
    'https://example.com:443/hooks',
    'HTTPS://EXAMPLE.COM/',
    'https://bücher.example/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
    'https://localhost.example.com/',
    `https://example.com/${'a'.repeat(2048 - 20)}`,
  ]) {
    it(`accepts ${url.slice(0, 60)}`, () => {
      assert.equal(checkTargetUrl(url, production), undefined);
      assert.equal(checkTargetUrl(url, development), undefined);
    });
  }

  for (const [url, reason] of [
    ['', /https/],
    ['example.com', /https/],
    ['http://example.com/', /https/],
    ['ftp://example.com/', /https/],
    ['https:example.com', /https/],
    ['https:///example.com', /https/],
    ['https://', /https/],
    ['https://exa mple.com/', /white space/],
    [' https://example.com/', /white space/],
    ['https://example.com/\n', /white space/],
    ['https://example.com\\@127.0.0.1/', /backslash/],
    ['https://%/', /not a valid URL/],
    ['https://256.1.1.1/', /not a valid URL/],
    ['https://example.com:8443/', /port 443/],
    ['https://example.com:80/', /port 443/],
    ['https://user@example.com/', /user name/],
    ['https://user:secret@example.com/', /user name/],
    ['https://:secret@example.com/', /user name/],
    ['https://@example.com/', /user name/],
    ['https://:@example.com', /user name/],
    ['HTTPS://@example.com?x', /user name/],
    ['https://example.com/#part', /fragment/],
    ['https://example.com/#', /fragment/],
    ['https://intranet/', /full domain name/],
    ['https://printer.local/', /local network/],
    ['https://metadata.google.internal/', /local network/],
    ['https://hooks.localhost/', /local network/],
    ['https://example.com./', /dot/],
    ['https://localhost./', /dot/],
    ['https://10.0.0.1/', /public address/],
    ['https://169.254.169.254/latest/meta-data', /public address/],
    ['https://[fd00:ec2::254]/', /public address/],
    ['https://[::ffff:10.0.0.1]/', /public address/],
    ['https://[64:ff9b::10.0.0.1]/', /public address/],
    [`https://example.com/${'a'.repeat(2048)}`, /longer/],
  ] as const) {
    it(`refuses ${JSON.stringify(url.slice(0, 60))}`, () => {
      assert.match(checkTargetUrl(url, production) ?? '', reason);
      assert.match(checkTargetUrl(url, development) ?? '', reason);
    });
  }

  describe('this machine', () => {
    for (const host of [
      ...[
        'localhost',
        'LOCALHOST',
        'LocalHost',
        'ｌocalhost',
        '127.0.0.1',
        '127.1',
        '0x7f.1',
        '2130706433',
        '017700000001',
      ],
      ...['127.0.0.1.', '%31%32%37.0.0.1', '１２７.0.0.1', '[::1]', '[0:0:0:0:0:0:0:1]'],
    ]) {
      it(`${host} is accepted in development only`, () => {
        assert.notEqual(checkTargetUrl(`https://${host}/`, production), undefined);
        assert.notEqual(checkTargetUrl(`http://${host}:8080/`, production), undefined);
        assert.equal(checkTargetUrl(`https://${host}/`, development), undefined);
        assert.equal(checkTargetUrl(`http://${host}:8080/`, development), undefined);
      });
    }
    for (const host of [
      '0.0.0.0',
      '[::]',
      '[::ffff:127.0.0.1]',
      '10.0.0.1',
      'localhost.',
      'a.localhost',
      '127.0.0.1.nip.io:8080',
    ]) {
      it(`${host} is refused in development too`, () =>
        assert.notEqual(checkTargetUrl(`http://${host}/`, development), undefined));
    }
    it('the other rules hold in development too', () => {
      assert.match(checkTargetUrl('http://a:b@localhost/', development) ?? '', /user name/);
      assert.match(checkTargetUrl('ftp://localhost/', development) ?? '', /https/);
      assert.match(checkTargetUrl('http://localhost/#a', development) ?? '', /fragment/);
    });
  });
});
