import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createField, registerPerson } from '@symbolon/testkit/actors/actors';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import fc from 'fast-check';
import { nameIsVerified, normalizeName, verifiedName } from './verified-name.ts';

const ADA = { first_name: 'Ada', last_name: 'Lovelace' };
const DAY = 86_400_000;

test('a name is one text however it is written', () => {
  const same = [
    ['Ada', 'Lovelace'],
    [' ADA ', 'loveLACE'],
    ['Ａｄａ', 'Lovelace'],
    ['ada', '\u2003LOVELACE\u00a0'],
  ].map(([first_name = '', last_name = '']) => normalizeName({ first_name, last_name }));
  assert.deepEqual(new Set(same), new Set(['ada\nlovelace']));
  const strasse = normalizeName({ first_name: 'Jürgen', last_name: 'Groß' });
  assert.equal(normalizeName({ first_name: 'JU\u0308RGEN', last_name: 'GROSS' }), strasse);
  assert.notEqual(normalizeName({ first_name: 'Jurgen', last_name: 'Gross' }), strasse);
});

test('another part of the same words is another name', () => {
  const name = (first_name: string, last_name: string) => normalizeName({ first_name, last_name });
  const lee = name('An Na', 'Lee');
  for (const [first, last] of [
    ['An', 'Na Lee'],
    ['Anna', 'Lee'],
    ['An Na Lee', ''],
    ['', 'An Na Lee'],
    ['An Na\nLee', ''],
    ['Lee', 'An Na'],
  ] as const)
    assert.notEqual(name(first, last), lee, `${first} | ${last}`);
  assert.equal(name('an  na', ' LEE'), lee);
});

test('normalising a name twice changes nothing, and case never counts', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const once = normalizeName({ first_name: text, last_name: '' });
      assert.equal(normalizeName({ first_name: once, last_name: '' }), once);
      assert.equal(normalizeName({ first_name: text.toUpperCase(), last_name: '' }), once);
    }),
  );
});

test('each letter of Unicode folds like its upper and lower case', () => {
  const folded = (text: string) => normalizeName({ first_name: text, last_name: '' });
  const letters = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter((letter) =>
    /\p{L}/u.test(letter),
  );
  const apart = letters.filter((letter) => {
    const cases = [letter, letter.toUpperCase(), letter.toLowerCase(), folded(letter).trimEnd()];
    return new Set(cases.map(folded)).size > 1;
  });
  assert.deepEqual(apart, []);
});

onPlatform('the name on a verified document', (platform) => {
  test('only a standing verification verifies exactly its name', async () => {
    const person = await registerPerson(platform());
    const { reader } = platform().context.database;
    const now = platform().clock.now();
    const asks = (name = ADA, at = now) => nameIsVerified(reader, person.id, { name, now: at });
    assert.equal(await asks(), false);
    const field = await createField(platform(), person, { type: 'text', slug: 'x', value: 'x' });
    const store = async (verification: object | null, names: string | null) => {
      await platform().context.database.write((writer) =>
        writer
          .updateTable('person_fields')
          .set({ verification: verification && JSON.stringify(verification), verified_name: names })
          .where('id', '=', field)
          .execute(),
      );
    };
    const attested = {
      verification_id: 'one',
      verified_at: new Date(now).toISOString(),
      verified_expires_at: new Date(now + DAY).toISOString(),
    };
    const ada = await verifiedName(ADA, 'one');
    assert.ok(!ada.toLowerCase().includes('lovelace'));
    await store(attested, ada);
    assert.equal(await asks(), true);
    assert.equal(await asks({ first_name: 'ada', last_name: ' LOVELACE' }), true);
    assert.equal(await asks({ first_name: 'Ada', last_name: 'Byron' }), false);
    assert.equal(await asks({ first_name: 'Ada Love', last_name: 'lace' }), false);
    assert.equal(await asks({ first_name: 'Ada Lovelace', last_name: '' }), false);
    assert.equal(await asks(ADA, now + DAY - 1), true);
    assert.equal(await asks(ADA, now + DAY), false);
    const other = await registerPerson(platform());
    assert.equal(await nameIsVerified(reader, other.id, { name: ADA, now }), false);
    await store({ ...attested, verification_id: 'another' }, ada);
    assert.equal(await asks(), false, 'a name belongs to its own attestation');
    await store(null, ada);
    assert.equal(await asks(), false);
  });
});
