import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as protocol from '@symbolon/protocol';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { blocksOf, ROOT } from './support/blocks.ts';

const schemas: Readonly<Record<string, unknown>> = { ...protocol };

test('the webhook catalogue has a body for each event of a service, with the members that the wire names', () => {
  const bodies = blocksOf('docs/webhook-events.md').map(({ text }) => JSON.parse(text));
  const raised = protocol.eventNames.filter(
    (name) => name !== protocol.Event.keyRotated && name !== protocol.Event.serviceKeyRotated,
  );
  assert.deepEqual(bodies.map(({ event }) => event).sort(), [...raised].sort());
  const [, table = ''] =
    /^\| event \| more \|\n\|---\|---\|\n((?:\|.*\n)+)/m.exec(
      readFileSync(join(ROOT, 'docs/wire/6-events.md'), 'utf8'),
    ) ?? [];
  const rows = table
    .trimEnd()
    .split('\n')
    .map((row) => row.split(' | '));
  assert.ok(rows.length >= 8);
  for (const [names = '', members = ''] of rows)
    for (const [, name] of names.matchAll(/`(\w+)`/g)) {
      const body = bodies.find(({ event }) => event === name);
      const first = /`(\w+)`/.exec(members)?.[1] ?? '';
      assert.ok(first in body, `${name} has no ${first}`);
    }
});

test('examples of the wire reference and of the webhook catalogue fit the schemas that the platform uses', () => {
  const examples = globSync(['docs/wire/*.md', 'docs/webhook-events.md'], { cwd: ROOT }).flatMap((page) =>
    blocksOf(page).map((block) => ({ ...block, where: `${page}:${block.line}` })),
  );
  assert.ok(examples.length >= 19);
  for (const { kind, argument, text, where } of examples) {
    assert.equal(kind, 'schema', where);
    assert.ok(argument in schemas, `${where}: packages/protocol has no schema ${argument}`);
    assert.deepEqual([...Value.Errors(schemas[argument] as TSchema, JSON.parse(text))], [], where);
  }
});
