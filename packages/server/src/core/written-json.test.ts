import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toXml } from '../http/xml.ts';
import { WrittenJson, writeJson } from './written-json.ts';

test('a written part stands in the answer as it is, and is its value for everybody else', () => {
  const text = '{"b" : [1, "x"]}';
  const payload = { a: 1, list: [WrittenJson.of(text), { deep: WrittenJson.of('"t"') }] };
  assert.equal(writeJson(payload), `{"a":1,"list":[${text},{"deep":"t"}]}`);
  assert.equal(JSON.stringify(payload), '{"a":1,"list":[{"b":[1,"x"]},{"deep":"t"}]}');
  assert.equal(toXml({ a: WrittenJson.of('{"b":2}') }), toXml({ a: { b: 2 } }));
  assert.equal(writeJson({ a: 1 }), '{"a":1}');
});

test('what fails in between leaves the next answer whole', () => {
  const payload = { part: WrittenJson.of('[]'), fails: { toJSON: () => assert.fail('on purpose') } };
  assert.throws(() => writeJson(payload), /on purpose/);
  assert.equal(JSON.stringify({ part: WrittenJson.of('[1]') }), '{"part":[1]}');
});
