import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import {
  decodeBase64,
  encryptPem,
  generateKeyPair,
  importPrivateKey,
  sealAccountEnvelope,
  sealValue,
} from '@symbolon/crypto';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { without } from '@symbolon/testkit/tools';
import { toXml } from '../../../server/src/http/xml.ts';
import { importAccountKey } from './account-key.ts';
import { parseDelivery } from './parse-delivery.ts';
import { documentSigned, fieldUpdated } from './testing/deliveries.ts';

const account = await generateKeyPair();
const bytes = (text: string) => new TextEncoder().encode(text);
const xml = (members: string) =>
  bytes(`<?xml version="1.0" encoding="UTF-8"?><response>${members}</response>`);
const malformed = { code: 'body_malformed', status: 400 };

for (const event of [fieldUpdated(), documentSigned()]) {
  test(`the JSON and the XML of ${event.event} give the same event`, async () => {
    const json = await parseDelivery(bytes(JSON.stringify(event)));
    assert.deepEqual(json, { event, format: 'json', enveloped: false });
    assert.deepEqual(await parseDelivery(bytes(toXml(event))), { event, format: 'xml', enveloped: false });
  });

  test(`the JSON and the XML of ${event.event} give the same event in an account-key envelope`, async () => {
    for (const [format, text] of [
      ['json', JSON.stringify(event)],
      ['xml', toXml(event)],
    ] as const) {
      const body = bytes(JSON.stringify(await sealAccountEnvelope(text, account.publicKey)));
      const parsed = await parseDelivery(body, { accountKey: account.privateKey });
      assert.deepEqual(parsed, { event, format, enveloped: true });
    }
  });
}

test('unknown members of a delivery keep their type in JSON and are text in XML', async () => {
  const event = {
    ...fieldUpdated(),
    count: 3,
    flag: true,
    list: ['a', { b: '1' }],
    deep: { c: 'x' },
    none: '',
  };
  assert.deepEqual((await parseDelivery(bytes(JSON.stringify(event)))).event, event);
  assert.deepEqual((await parseDelivery(bytes(toXml(event)))).event, { ...event, count: '3', flag: 'true' });
});

test('the delivery of a second-factor outcome has no person', async () => {
  const event = {
    event: '2fa_challenge_completed',
    challenge_id: 'c',
    share_code: 'ADA1',
    status: 'approved',
  };
  assert.deepEqual((await parseDelivery(bytes(toXml(event)))).event, event);
});

test('the XML reader follows the rules of XML for text, entities and line ends', async () => {
  const read = async (text: string) =>
    ((await parseDelivery(xml(`<event>e</event><slug>${text}</slug>`))).event as { slug: unknown }).slug;
  assert.equal(await read('&amp;lt; &lt;&gt;&quot;&apos; &#10;&#x1F600;&#65;'), '&lt; <>"\' \n😀A');
  assert.equal(await read('  kept \r\n too\r'), '  kept \n too\n');
  assert.equal(await read('a > b ]] "c"'), 'a > b ]] "c"');
  assert.equal(await read(''), '');
  const spaced = '\uFEFF<?xml version="1.0"?>\n<response>\n  <event >e</event >\n  <slug/>\n</response>\n';
  assert.deepEqual((await parseDelivery(bytes(spaced))).event, { event: 'e', slug: '', share_code: null });
});

const hostileXml = {
  'a DOCTYPE': '<!DOCTYPE r [<!ENTITY a "b">]><response><event>&a;</event></response>',
  'a DOCTYPE after the declaration':
    '<?xml version="1.0"?><!DOCTYPE r SYSTEM "file:///etc/passwd"><response><event>e</event></response>',
  'an external entity': '<response><event>&xxe;</event></response>',
  'an entity named as a member of objects': '<response><event>&constructor;</event></response>',
  'a bare ampersand': '<response><event>a & b</event></response>',
  'an unfinished reference': '<response><event>&amp</event></response>',
  'a reference to U+0000': '<response><event>&#0;</event></response>',
  'a reference to half a character': '<response><event>&#xD800;</event></response>',
  'a reference beyond Unicode': '<response><event>&#x110000;</event></response>',
  'an empty reference': '<response><event>&#;</event></response>',
  'a control character': '<response><event>a\u0001</event></response>',
  CDATA: '<response><event><![CDATA[e]]></event></response>',
  'the end of CDATA': '<response><event>]]></event></response>',
  'a comment': '<response><!-- --><event>e</event></response>',
  'a processing instruction': '<response><?php x ?><event>e</event></response>',
  'a stylesheet': '<?xml-stylesheet href="x"?><response><event>e</event></response>',
  'another encoding': '<?xml version="1.0" encoding="UTF-7"?><response><event>e</event></response>',
  'an attribute': '<response xmlns="urn:x"><event>e</event></response>',
  'a prefix': '<a:response><event>e</event></a:response>',
  'another root': '<request><event>e</event></request>',
  'two roots': '<response><event>e</event></response><response/>',
  'text around the root': '<response><event>e</event></response>x',
  'tags that cross': '<response><event>e</response></event>',
  'a tag never closed': '<response><event>e</event>',
  'a tag never opened': '</response>',
  'a tag that closes and is empty': '<response><event>e</event/></response>',
  'a member twice': '<response><event>a</event><event>b</event></response>',
  'text between members': '<response>x<event>e</event></response>',
  'no members': '<response/>',
  'items alone': '<response><item>e</item></response>',
  'an invalid boolean': '<response><event>e</event><live>yes</live></response>',
  'an object for a slug': '<response><event>e</event><slug><a>b</a></slug></response>',
  'a lone bracket': '<',
  'too deep a nesting': `<response><event>e</event>${'<a>'.repeat(32)}${'</a>'.repeat(32)}</response>`,
  'far too deep a nesting': `<response>${'<a>'.repeat(300_000)}`,
};
for (const [what, text] of Object.entries(hostileXml)) {
  test(`a delivery in XML with ${what} is refused`, async () => {
    await assert.rejects(parseDelivery(bytes(text)), malformed);
  });
}

const hostileJson = {
  nothing: '',
  'white space': ' \n',
  text: 'event=field_updated',
  'an array': '[{"event":"e"}]',
  null: 'null',
  'no event': '{"id":"1"}',
  'an event that is no text': '{"event":{"toString":"x"}}',
  'a person that is no text': '{"event":"e","person_user_id":{"$ne":null}}',
  'a slug that is no text': '{"event":"e","slug":["a"]}',
  'a trailing comma': '{"event":"e",}',
  'too deep a nesting': `{"event":"e","a":${'['.repeat(32)}${']'.repeat(32)}}`,
  'far too deep a nesting': '{"a":'.repeat(150_000),
};
for (const [what, text] of Object.entries(hostileJson)) {
  test(`a delivery whose body has ${what} is refused`, async () => {
    await assert.rejects(parseDelivery(bytes(text)), malformed);
  });
}

test('a delivery whose bytes are not UTF-8 is refused', async () => {
  await assert.rejects(parseDelivery(Uint8Array.from([0x7b, 0xff, 0x7d])), malformed);
});

test('a large body is refused, and a large hostile one is refused quickly', async () => {
  await assert.rejects(parseDelivery(new Uint8Array(1024 * 1024 + 1)), { code: 'too_large', status: 413 });
  const most = 1024 * 1024 - 60;
  const started = process.cpuUsage();
  for (const filler of ['&', '<', '&amp;', '<a/>', ' ', '</', '&#', '<a ', 'x']) {
    const text = filler.repeat(Math.floor(most / filler.length));
    await parseDelivery(xml(`<event>${text}</event>`)).catch(() => undefined);
    await parseDelivery(bytes(text)).catch(() => undefined);
  }
  const { user, system } = process.cpuUsage(started);
  assert.ok(user + system < 10e6, 'linear in the length of the body: seconds of the processor, not hours');
});

test('members named like prototype members are ordinary members in JSON and XML', async () => {
  const names = ['constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf'];
  const members = names.map((name) => `<${name}>x</${name}>`).join('');
  const json = names.map((name) => `"${name}":"x"`).join(',');
  const bodies = [
    xml(`<event>e</event><__proto__><polluted>x</polluted></__proto__>${members}`),
    bytes(`{"event":"e","__proto__":{"polluted":"x"},${json}}`),
    bytes(`{"event":"e","\\u005f_proto__":{"polluted":"x"},${json}}`),
  ];
  for (const body of bodies) {
    const { event } = await parseDelivery(body);
    assert.equal(Object.getPrototypeOf(event), Object.prototype);
    assert.equal(Object.hasOwn(event, '__proto__'), false);
    for (const name of names) assert.equal((event as Record<string, unknown>)[name], 'x');
    assert.equal((Object.assign({}, event) as { polluted?: string }).polluted, undefined);
  }
  assert.equal(({} as { polluted?: string }).polluted, undefined);
});

test('a delivery in an envelope that does not open is refused', async () => {
  const wrapper = await sealAccountEnvelope(JSON.stringify(fieldUpdated()), account.publicKey);
  const stranger = await generateKeyPair();
  const refused = { code: 'envelope_unreadable', status: 400 };
  const parse = (content: unknown, accountKey?: Uint8Array) =>
    parseDelivery(bytes(JSON.stringify(content)), { accountKey });
  await assert.rejects(parse(wrapper), refused, 'no key');
  await assert.rejects(parse(wrapper, stranger.privateKey), refused, 'another key');
  await assert.rejects(parse({ ...wrapper, d: wrapper.d.slice(4) }, account.privateKey), refused, 'tampered');
  await assert.rejects(parse({ ...wrapper, _enc: 2 }, account.privateKey), refused, 'another marker');
  await assert.rejects(parse({ _enc: 1 }, account.privateKey), refused, 'no ciphertext');
  const wide = await sealValue(JSON.stringify(fieldUpdated()), account.publicKey);
  await assert.rejects(parse(wide, account.privateKey), refused, 'OAEP with SHA-256');
  const nested = await sealAccountEnvelope(JSON.stringify(wrapper), account.publicKey);
  await assert.rejects(parse(nested, account.privateKey), malformed, 'an envelope in an envelope');
});

test('the account key of a receiver can be DER, PEM, a file or an imported key', async () => {
  const body = bytes(JSON.stringify(await sealAccountEnvelope('{"event":"e"}', account.publicKey)));
  const pem = await encryptPem(account.privateKey, 'pass');
  const sources = [
    account.privateKey,
    { pkcs8: account.privateKey },
    { pem, passphrase: 'pass' },
    { file: file('account.pem', pem), passphrase: 'pass' },
    await importAccountKey(account.privateKey),
  ];
  for (const accountKey of sources) assert.equal((await parseDelivery(body, { accountKey })).enveloped, true);
  const sha256 = await importPrivateKey(account.privateKey);
  for (const source of [{ pem, passphrase: 'wrong' }, { pem: 'x' }, sha256]) {
    assert.throws(() => importAccountKey(source), { errorKey: 'sdk.private_key' });
  }
});

// An outside judge: the default padding digest of the command line is the envelope's.

const folder = temporaryFolder({ after });
before(() => {});
const skip = without('openssl');
const defaultOaep = ['-pkeyopt', 'rsa_padding_mode:oaep'];

test('the SDK opens an envelope whose key OpenSSL wrapped with its defaults', { skip }, async () => {
  const aesKey = randomBytes(32);
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', aesKey, iv);
  const d = Buffer.concat([cipher.update(toXml(fieldUpdated())), cipher.final(), cipher.getAuthTag()]);
  const key = file('public.der', decodeBase64(account.publicKey));
  const k = openssl(
    ['pkeyutl', '-encrypt', '-pubin', '-keyform', 'DER', '-inkey', key, ...defaultOaep],
    aesKey,
  );
  const text = (part: Buffer) => part.toString('base64');
  const body = bytes(JSON.stringify({ _enc: 1, k: text(k), iv: text(iv), d: text(d) }));
  const parsed = await parseDelivery(body, { accountKey: account.privateKey });
  assert.deepEqual(parsed, { event: fieldUpdated(), format: 'xml', enveloped: true });
});

test('OpenSSL unwraps with its defaults the key of an envelope that the SDK sealed', { skip }, async () => {
  const { k, iv, d } = await sealAccountEnvelope('{"event":"e"}', account.publicKey);
  const key = file('private.der', account.privateKey);
  const args = ['pkeyutl', '-decrypt', '-keyform', 'DER', '-inkey', key, ...defaultOaep];
  const aesKey = openssl(args, decodeBase64(k));
  const data = decodeBase64(d);
  const decipher = createDecipheriv('aes-256-gcm', aesKey, decodeBase64(iv)).setAuthTag(data.subarray(-16));
  assert.equal(
    decipher.update(data.subarray(0, -16), undefined, 'utf8') + decipher.final('utf8'),
    '{"event":"e"}',
  );
});

function openssl(args: string[], input: Uint8Array): Buffer {
  const { status, stdout, stderr } = spawnSync('openssl', args, { input });
  assert.equal(status, 0, stderr?.toString());
  return stdout;
}

function file(name: string, content: string | Uint8Array): string {
  const path = folder.file(name);
  writeFileSync(path, content);
  return path;
}
