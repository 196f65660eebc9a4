import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { without } from '@symbolon/testkit/tools';
import { toXml } from '../../../server/src/http/xml.ts';
import { documentSigned, fieldUpdated, SECRET, signed } from './testing/deliveries.ts';

// An outside judge: a receiver that shares no line with ours takes what the platform sends.

const skip = without('python3');
const script = fileURLToPath(new URL('./testing/receiver.py', import.meta.url));

test('a receiver in plain Python verifies deliveries and reads both formats', { skip }, async (t) => {
  const env = { ...process.env, WEBHOOK_SECRET: SECRET, PYTHONDONTWRITEBYTECODE: '1' };
  const python = spawn('python3', [script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(async () => {
    if (python.kill()) await once(python, 'exit');
  });
  const lines = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
  const line = async () => JSON.parse((await lines.next()).value ?? 'null');
  const url = `http://127.0.0.1:${await line()}`;
  const post = async (delivery: ReturnType<typeof signed>) =>
    (await fetch(url, { method: 'POST', ...delivery })).status;

  for (const event of [fieldUpdated(), documentSigned()]) {
    assert.equal(await post(signed(event)), 200);
    assert.deepEqual(await line(), event);
    assert.equal(await post(signed(toXml(event))), 200);
    const texts = Object.entries(event).filter(([, value]) => value !== null);
    assert.deepEqual(await line(), Object.fromEntries(texts.map(([name, value]) => [name, String(value)])));
  }
  assert.equal(await post(signed(fieldUpdated(), 'another')), 401);
  assert.equal(await post({ ...signed(fieldUpdated()), body: Buffer.from('{}') }), 401);
});
