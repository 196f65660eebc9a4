import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { test } from 'node:test';
import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { AuthenticationResponseJSON } from '@symbolon/protocol';
import type { Flag } from '../../../db/tables.ts';
import { checkAssertion } from './assertion.ts';

const NONCE = 'bm9uY2U';
const PARTY = { id: 'example.com', origins: ['https://example.com', 'https://www.example.com'] };
const STORED_COUNTER = 7;

interface Key {
  readonly privateKey: KeyObject;
  readonly digest: 'sha256' | null;
  readonly cose: Map<number, number | Uint8Array>;
}

const coordinate = (publicKey: KeyObject, member: 'x' | 'y' | 'n' | 'e') =>
  new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' })[member] ?? '', 'base64url'));

const KEYS: Readonly<Record<string, () => Key>> = {
  ES256() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const cose = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
    ]);
    cose.set(-2, coordinate(publicKey, 'x')).set(-3, coordinate(publicKey, 'y'));
    return { privateKey, digest: 'sha256', cose };
  },
  EdDSA() {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const cose = new Map<number, number | Uint8Array>([
      [1, 1],
      [3, -8],
      [-1, 6],
    ]);
    return { privateKey, digest: null, cose: cose.set(-2, coordinate(publicKey, 'x')) };
  },
  RS256() {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const cose = new Map<number, number | Uint8Array>([
      [1, 3],
      [3, -257],
    ]);
    cose.set(-1, coordinate(publicKey, 'n')).set(-2, coordinate(publicKey, 'e'));
    return { privateKey, digest: 'sha256', cose };
  },
};

/** What an authenticator says, before it is signed. */
interface Said {
  readonly clientData: Buffer;
  readonly authenticatorData: Buffer;
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const clientDataOf = (members: object) =>
  Buffer.from(
    JSON.stringify({ type: 'webauthn.get', challenge: NONCE, origin: PARTY.origins[0], ...members }),
  );

function authenticatorDataOf(flags: number, counter: number, { rpId = PARTY.id, rest = '' } = {}): Buffer {
  const end = Buffer.alloc(5);
  end.writeUInt8(flags);
  end.writeUInt32BE(counter, 1);
  return Buffer.concat([sha256(rpId), end, Buffer.from(rest, 'hex')]);
}

const UP = 0x01;
const UV = 0x04;
const BE = 0x08;
const BS = 0x10;
const AT = 0x40;
const ED = 0x80;
const GOOD: Said = { clientData: clientDataOf({}), authenticatorData: authenticatorDataOf(UP | UV, 8) };
const withFlags = (flags: number, rest = '') => authenticatorDataOf(flags, 8, { rest });

/** Everything that an authenticator or a page could say otherwise; all of it is signed rightly. */
const SAID: readonly (readonly [string, Partial<Said>])[] = [
  ['as it should be', {}],
  ['from the other origin', { clientData: clientDataOf({ origin: PARTY.origins[1] }) }],
  ['from the top', { clientData: clientDataOf({ crossOrigin: false }) }],
  ['from a frame', { clientData: clientDataOf({ crossOrigin: true }) }],
  [
    'from a frame that is named',
    { clientData: clientDataOf({ crossOrigin: true, topOrigin: 'https://a.example' }) },
  ],
  ['from the top, with a top origin', { clientData: clientDataOf({ topOrigin: 'https://a.example' }) }],
  ['with a flag that is no boolean', { clientData: clientDataOf({ crossOrigin: 'false' }) }],
  ['of another nonce', { clientData: clientDataOf({ challenge: 'bm9uY2X' }) }],
  ['of no nonce', { clientData: clientDataOf({ challenge: undefined }) }],
  ['from another origin', { clientData: clientDataOf({ origin: 'https://evil.example' }) }],
  ['from an origin in a list', { clientData: clientDataOf({ origin: PARTY.origins }) }],
  [
    'from an origin that begins like ours',
    { clientData: clientDataOf({ origin: 'https://example.com.evil' }) },
  ],
  ['of another type', { clientData: clientDataOf({ type: 'webauthn.create' }) }],
  ['without client data', { clientData: Buffer.alloc(0) }],
  ['with client data that is null', { clientData: Buffer.from('null') }],
  ['with client data that is no JSON', { clientData: GOOD.clientData.subarray(1) }],
  [
    'for another relying party',
    { authenticatorData: authenticatorDataOf(UP | UV, 8, { rpId: 'evil.example' }) },
  ],
  ['without authenticator data', { authenticatorData: Buffer.alloc(0) }],
  ['with authenticator data that is cut', { authenticatorData: GOOD.authenticatorData.subarray(0, 36) }],
  ['with bytes behind', { authenticatorData: withFlags(UP | UV, '00') }],
  ['with an extension', { authenticatorData: withFlags(UP | UV | ED, 'a1636b6579f5') }],
  ['with an extension that is cut', { authenticatorData: withFlags(UP | UV | ED, 'a1636b65') }],
  ['with attested data that is not there', { authenticatorData: withFlags(UP | UV | AT) }],
  ['with a counter that stands still', { authenticatorData: authenticatorDataOf(UP | UV, STORED_COUNTER) }],
  ['with a counter of 0', { authenticatorData: authenticatorDataOf(UP | UV, 0) }],
  ['with the highest counter', { authenticatorData: authenticatorDataOf(UP | UV, 0xffffffff) }],
  ...[0, UP, UV, UP | UV | BE, UP | UV | BS, UP | UV | BE | BS, UP | UV | 0x22].map(
    (flags) => [`with flags ${flags}`, { authenticatorData: withFlags(flags) }] as const,
  ),
];

/** The library takes an answer from a frame whose page is not named. Our pages are never framed. */
const WE_REFUSE: ReadonlySet<string> = new Set(['from a frame', 'with a flag that is no boolean']);

for (const [name, make] of Object.entries(KEYS)) {
  const { privateKey, digest, cose } = make();
  const publicKey = new Uint8Array(isoCBOR.encode(cose as never));
  const answerOf = (
    { clientData, authenticatorData }: Said,
    changed: object = {},
  ): AuthenticationResponseJSON => {
    const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
    const response = {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: sign(digest, signed, privateKey).toString('base64url'),
      ...changed,
    };
    return { id: 'aWQ', rawId: 'aWQ', type: 'public-key', response, clientExtensionResults: {} };
  };
  const passkey = {
    public_key: Buffer.from(publicKey).toString('base64url'),
    counter: STORED_COUNTER,
    backup_eligible: 0 as Flag,
  };
  const verdict = (answer: AuthenticationResponseJSON, stored: object = {}) =>
    checkAssertion(answer, NONCE, PARTY, { ...passkey, ...stored });
  const verdictOfLibrary = async (answer: AuthenticationResponseJSON, stored: object = {}) => {
    const { counter, backup_eligible } = { ...passkey, ...stored };
    const checked = await verifyAuthenticationResponse({
      response: answer as never,
      expectedChallenge: NONCE,
      expectedOrigin: [...PARTY.origins],
      expectedRPID: PARTY.id,
      requireUserVerification: true,
      credential: { id: 'aWQ', publicKey, counter },
    }).catch(() => undefined);
    const info = checked?.verified === true ? checked.authenticationInfo : undefined;
    if (info === undefined || (info.credentialDeviceType === 'multiDevice') !== (backup_eligible === 1))
      return undefined;
    return { counter: info.newCounter, backed_up: info.credentialBackedUp ? 1 : 0 };
  };

  test(`${name}: an answer is judged as the library judges it, whatever it says`, async () => {
    let good = 0;
    for (const [what, said] of SAID)
      for (const stored of [{}, { counter: 0 }, { backup_eligible: 1 }]) {
        const answer = answerOf({ ...GOOD, ...said });
        const [ours, theirs] = [await verdict(answer, stored), await verdictOfLibrary(answer, stored)];
        if (WE_REFUSE.has(what)) assert.equal(ours, undefined, what);
        else assert.deepEqual(ours, theirs, `${what} ${JSON.stringify(stored)}`);
        if (ours !== undefined) good++;
      }
    assert.ok(good >= 10, `${good} were good`);
  });

  test(`${name}: no changed bit of an answer is taken`, async () => {
    const { response } = answerOf(GOOD);
    assert.deepEqual(await verdict(answerOf(GOOD, response)), { counter: 8, backed_up: 0 });
    for (const member of ['clientDataJSON', 'authenticatorData', 'signature'] as const) {
      const bytes = Buffer.from(response[member], 'base64url');
      for (let bit = 0; bit < bytes.length * 8; bit += 5) {
        const changed = Buffer.from(bytes);
        changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        const answer = answerOf(GOOD, { ...response, [member]: changed.toString('base64url') });
        assert.equal(await verdict(answer), undefined, `bit ${bit} of ${member}`);
      }
      for (const cut of [0, 1, bytes.length - 1]) {
        const answer = answerOf(GOOD, {
          ...response,
          [member]: bytes.subarray(0, cut).toString('base64url'),
        });
        assert.equal(await verdict(answer), undefined, `${cut} bytes of ${member}`);
      }
    }
  });

  test(`${name}: an answer is good for its own key alone, and only as the key says`, async () => {
    const answer = answerOf(GOOD);
    const encoded = (key: Map<number, number | Uint8Array>) =>
      Buffer.from(isoCBOR.encode(key as never)).toString('base64url');
    assert.equal(await verdict(answer, { public_key: encoded(make().cose) }), undefined);
    for (const alg of [-7, -8, -257, -35, -37, 0]) {
      if (alg === cose.get(3)) continue;
      assert.equal(
        await verdict(answer, { public_key: encoded(new Map(cose).set(3, alg)) }),
        undefined,
        `${alg}`,
      );
    }
    for (const label of cose.keys()) {
      const less = new Map(cose);
      less.delete(label);
      assert.equal(await verdict(answer, { public_key: encoded(less) }), undefined, `without ${label}`);
    }
    for (const public_key of ['', 'AA', 'oA', passkey.public_key.slice(0, 20)])
      assert.equal(await verdict(answer, { public_key }), undefined, public_key);
  });

  test(`${name}: the id and the type are those of a public key`, async () => {
    const answer = answerOf(GOOD);
    assert.equal(await verdict({ ...answer, rawId: 'aWX' }), undefined);
    assert.equal(await verdict({ ...answer, type: 'password' as never }), undefined);
  });
}
