import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { type SameCall, sameCalls } from '../../apps/web/src/platform/portal/same-calls.ts';
import { documentedRoutes } from '../security/openapi.ts';

const PAGES = join(import.meta.dirname, '../../apps/web/src/pages/portal');
/**
 * Pages that lead into an account, where a program has nothing to call with; the editor, which fills the window; and the overview, whose
 * figures lead to pages that have their calls: it loads few files.
 */
const WITHOUT = new Set([
  ...['register-page.tsx', 'sign-in-page.tsx', 'ways-in/invitation-page.tsx', 'ways-in/recover-page.tsx'],
  ...['flow/flow-page.tsx', 'overview/overview-page.tsx'],
]);

/** What a call needs to know is of no matter here. */
const NAMED = { id: 'x', serviceId: 'x', flowId: 'x', current_node: null } as const;
const made = Object.entries(sameCalls).map(([name, call]): readonly [string, SameCall] => [
  name,
  typeof call === 'function' ? (call as (...about: unknown[]) => SameCall)(...argumentsOf(name)) : call,
]);

function argumentsOf(name: string): unknown[] {
  if (['run', 'runs', 'flowVersions', 'signCopy'].includes(name))
    return [NAMED, name === 'run' ? NAMED : 'x', 'x'];
  return ['x', 'x', []];
}

onPlatform('calls that pages of the portal show', (platform) => {
  test('are calls of the API, with members that it takes', async () => {
    const routes = await documentedRoutes(platform());
    for (const [name, { method, path, body }] of made) {
      const [address = ''] = path.split('?');
      const route = routes.find(
        (each) =>
          each.method === method &&
          new RegExp(`^${each.path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(address) &&
          (!each.path.endsWith('}') || address.endsWith('/x')),
      );
      assert.ok(route, `${name}: ${method} ${path}`);
      const schema = route.operation.requestBody?.content['application/json']?.schema;
      const members = Object.keys(schema?.properties ?? {});
      for (const member of Object.keys(body ?? {}))
        assert.ok(members.length === 0 || members.includes(member), `${name} has a member ${member}`);
    }
  });
});

test('stand on every page of the portal, but those that lead into an account', () => {
  const pages = globSync('**/*-page.tsx', { cwd: PAGES });
  assert.ok(pages.length > 30);
  const without = pages.filter((page) => !readFileSync(join(PAGES, page), 'utf8').includes('<SameByApi'));
  assert.deepEqual(without.sort(), [...WITHOUT].sort());
});
