import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { buildFileEnvelope } from '@symbolon/crypto';
import { PersonClient } from '@symbolon/sdk/person';
import { PASSWORD } from '@symbolon/testkit/actors/actors';
import { bytesOf, checkPage, picture } from '@symbolon/testkit/browser/looks';
import { personAt } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { unzipSync } from 'fflate';

const NOTE = 'Only I know this';

describe('taking everything along', { skip }, () => {
  const { world, test } = browserTests();

  test('the zip opens with the password in a browser without a network, values and files alike', async (visit, t) => {
    const email = 'export@example.org';
    const page = await visit({ phone: true });
    await personAt(world(), page, '/me/account', email);
    const client = await PersonClient.login({ baseUrl: world().url, email, password: PASSWORD });
    await client.createField({ type: 'text', label: 'Note', slug: 'note', value: NOTE });
    const { id } = await client.createField({ type: 'document', label: 'Letter', slug: 'letter' });
    const content = Buffer.from('a letter to myself');
    const file = { mimeType: 'text/plain', bytes: content, originalName: 'letter.txt' };
    await client.files.save(id, buildFileEnvelope({ file }));
    await page.getByRole('link', { name: /^Take everything with me/ }).click();
    await page.getByRole('heading', { name: 'Take everything with me' }).waitFor();
    await page.locator('input[name=password]').fill('not the password');
    await page.getByRole('button', { name: 'Make the file' }).click();
    await page.getByText('cannot be opened with this').waitFor();
    await checkPage(page);
    await page.locator('input[name=password]').fill(PASSWORD);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Make the file' }).click();
    const download = await downloading;
    assert.match(download.suggestedFilename(), /^symbolon-\d{4}-\d\d-\d\d\.zip$/);
    const zip = await bytesOf(download);
    await page.getByText('Unpack it and open the page in it').waitFor();
    assert.equal(await page.getByText('could not be read').count(), 0);
    await checkPage(page);
    await picture(page, 'export-phone');

    const entries = unzipSync(new Uint8Array(zip));
    assert.deepEqual(Object.keys(entries), ['open.html', 'data.json', 'README.txt', `files/field-${id}`]);
    const all = Object.values(entries).map((bytes) => Buffer.from(bytes).toString());
    for (const secret of [NOTE, content.toString(), content.toString('base64'), PASSWORD])
      assert.ok(!all.some((text) => text.includes(secret)), 'what was sealed is sealed in the zip');

    const folder = temporaryFolder(t);
    writeFileSync(folder.file('open.html'), entries['open.html'] ?? '');
    writeFileSync(folder.file('all.zip'), zip);
    world().allow('null');
    const offline = await visit();
    await offline.context().setOffline(true);
    const asked: string[] = [];
    offline.on('request', (request) => asked.push(request.url()));
    const address = pathToFileURL(folder.file('open.html')).href;
    await offline.goto(address);
    await offline.getByLabel(/^Password of the day/).fill('not the password');
    await offline.getByRole('button', { name: 'Open it' }).click();
    await offline.getByText('The password does not open this.').waitFor();
    await offline.getByLabel(/^Password of the day/).fill(PASSWORD);
    await offline.getByRole('button', { name: 'Open it' }).click();
    await offline.getByRole('cell', { name: NOTE }).waitFor();
    await checkPage(offline);
    await offline.getByLabel(/^Choose the zip file/).setInputFiles(folder.file('all.zip'));
    const saving = offline.waitForEvent('download');
    await offline.getByRole('button', { name: 'Save: Letter' }).click();
    const saved = await saving;
    assert.equal(saved.suggestedFilename(), 'letter.txt');
    assert.deepEqual(await bytesOf(saved), content);
    assert.deepEqual(
      asked.filter((url) => url !== address && !url.startsWith('blob:')),
      [],
    );
  });
});
