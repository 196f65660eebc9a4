import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { generateKeyPair, importPrivateKey, openText, sealValue } from '@symbolon/crypto';
import { RunningCommand, symbolon } from '@symbolon/testkit/cli/command';
import { temporaryFolder } from '@symbolon/testkit/cli/world';

const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };

/** Calls a plugin as the forwarder does. */
async function call(base: string, request: object) {
  const { public_key } = (await (await fetch(`${base}/manifest`, { headers })).json()) as {
    public_key: string;
  };
  const own = await generateKeyPair();
  const asked = { picks: {}, values: {}, inputs: {}, ...request, reply_key: own.publicKey };
  const body = JSON.stringify({ request: await sealValue(JSON.stringify(asked), public_key) });
  const response = await fetch(`${base}/call`, { method: 'POST', headers, body });
  assert.equal(response.status, 200);
  const { reply } = (await response.json()) as { reply: string };
  return JSON.parse(await openText(reply, await importPrivateKey(own.privateKey)));
}

describe('symbolon plugin dev', () => {
  test('writes a plugin, shows its calls, and loads it again when it changes', async () => {
    using folder = temporaryFolder();
    const args = ['plugin', 'dev', '--port', '0', '--token', 'secret'];
    const command = new RunningCommand(args, { cwd: folder.path });
    try {
      const [, base = ''] = await command.line(/Bike rental answers at (http:\/\/127\.0\.0\.1:\d+)/);
      assert.equal(statSync(folder.file('plugin-key.pem')).mode & 0o777, 0o600);
      command.child.kill('SIGUSR1');
      assert.equal((await fetch(`${base}/manifest`)).status, 401);
      await command.line(/401 GET \/manifest without the token/);

      const options = { op: 'options', field_type: 'rental', block: 'bike', query: 'carg' };
      assert.deepEqual(await call(base, options), {
        options: [{ id: 'cargo', label: 'Cargo bike' }],
        more: false,
      });
      await command.line(/options rental\.bike "carg" → 1 options: Cargo bike \d+ ms/);
      const outputs = { op: 'outputs', field_type: 'rental', picks: { bike: 'cargo' }, values: { days: 3 } };
      assert.deepEqual(await call(base, outputs), { outputs: { price: 75 } });
      await command.line(/outputs rental \{"bike":"cargo","days":3\} → \{"price":75\}/);

      const source = readFileSync(folder.file('plugin.ts'), 'utf8');
      writeFileSync(folder.file('plugin.ts'), source.replace("name: 'Bike rental'", 'name: }'));
      await command.line(/✗ SyntaxError: /);
      writeFileSync(
        folder.file('plugin.ts'),
        source.replace('Bike rental', 'Boats').replace('price: 25', 'price: 30'),
      );
      // At the same address, under the same key.
      await command.line(new RegExp(`Boats answers at ${base}`));
      assert.deepEqual(await call(base, outputs), { outputs: { price: 90 } });
    } finally {
      const { code, stderr } = await command.end('SIGINT');
      assert.equal(code, 0);
      assert.doesNotMatch(stderr, /Debugger/);
    }
  });

  test('a failing function, a module of another form and a taken port are reported', async () => {
    using folder = temporaryFolder();
    const args = ['plugin', 'dev', 'own.mjs', '--port', '0', '--json', '--token', 'secret'];
    writeFileSync(folder.file('own.mjs'), 'export const other = 1;');
    const command = new RunningCommand(args, { cwd: folder.path });
    try {
      await command.line(/"type":"unusable","message":"Error: The module must export plugin/);
      const block = "{ key: 'b', kind: 'serach_select', label: 'B', required: true }";
      const misspelt = `{ key: 'a', label: 'A', blocks: [${block}] }`;
      writeFileSync(folder.file('own.mjs'), `export const plugin = { name: 'Own', fields: [${misspelt}] };`);
      await command.line(
        /"message":"Error: The manifest is malformed: \/field_types\/0\/blocks\/0\/kind must/,
      );
      const field = "{ key: 'a', label: 'A', onOutputs() { throw new Error('no bikes'); } }";
      writeFileSync(folder.file('own.mjs'), `export const plugin = { name: 'Own', fields: [${field}] };`);
      const [, port = ''] = await command.line(/"type":"ready","name":"Own","fields":\["a"\],"port":(\d+)/);
      const base = `http://127.0.0.1:${port}`;
      await assert.rejects(call(base, { op: 'outputs', field_type: 'a' }));
      await command.line(/"type":"failed","message":"Error: no bikes/);
      await command.line(/"type":"refused","method":"POST","path":"\/call","status":500/);

      const second = new RunningCommand(['plugin', 'dev', 'own.mjs', '--port', port], { cwd: folder.path });
      await second.line(/✗ Error: listen EADDRINUSE/);
      assert.equal((await second.end('SIGINT')).code, 0);
    } finally {
      await command.end('SIGINT');
    }
  });

  test('a port is a number', async () => {
    const { code, stderr } = await symbolon(['plugin', 'dev', '--port', 'http']);
    assert.equal(code, 2);
    assert.match(stderr, /It takes a port from 0 to 65535/);
  });
});
