import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Capability, capabilities, portalOnlyPatterns } from '@symbolon/protocol';
import fc from 'fast-check';
import { authorise } from '../../../access/rules.ts';
import { PlatformError } from '../../../core/errors.ts';
import { inOrder, whitelistOf } from './whitelist.ts';

/** Wire 5.5 once more, by hand and in another notation: what opens a path. */
const BASELINE = /^(\/api\/account|\/api\/profile|\/oauth2\/token|\/api\/contact-field-types.*)$/;
const GROUPS: Readonly<Record<Capability, RegExp>> = {
  service_management: /^(\/api\/services|\/api\/account\/recovery-|\/api\/account\/client-uses$)/,
  company_profile_fields: /^(\/api\/contact-data|\/api\/contact-fields|\/api\/photos)/,
  customer_connections: /^(\/api\/company-connections|\/api\/customer\/|\/api\/keys)/,
  oauth_apps: /^(\/api\/account\/oauth-apps|\/api\/account\/recovery-|\/api\/account\/client-uses$)/,
  delegate_management: /^\/api\/delegates/,
};

const granted = fc.subarray(capabilities);
const part = fc.stringMatching(/^[a-zA-Z0-9_%.:*?\-~]{0,12}$/);
const known = fc.constantFrom(
  ...whitelistOf(capabilities),
  ...portalOnlyPatterns,
  '/api/account/clients',
  '/api/company-data/connections',
  '/api/person/me',
  '/oauth2/authorize',
  '/api',
  '',
);
/** Known paths, cut, with tails and joined to others; and paths of anything. */
const path = fc.oneof(
  fc.tuple(known, part).map(([base, tail]) => base.replace(/\*$/, '') + tail),
  fc.tuple(known, part).map(([base, tail]) => `${base.replace(/\*$/, '')}/${tail}`),
  fc.tuple(known, fc.nat(40)).map(([base, length]) => base.slice(0, length)),
  fc.tuple(known, known).map(([first, second]) => first.replace(/\*$/, '') + second),
  fc.array(part, { maxLength: 6 }).map((parts) => `/${parts.join('/')}`),
);

function opens(endpoints: readonly string[], asked: string): boolean {
  try {
    authorise({ kind: 'account_client', clientId: 'c', companyId: 'f', endpoints }, undefined, asked);
    return true;
  } catch (error) {
    assert.ok(error instanceof PlatformError);
    assert.equal(error.key, 'auth.client_endpoint_forbidden');
    return false;
  }
}

test('the patterns are those of wire 5.5', () => {
  // Wire 5.5, the table.
  const table: Readonly<Record<Capability, readonly string[]>> = {
    service_management: ['/api/services*', '/api/account/recovery-*', '/api/account/client-uses'],
    company_profile_fields: ['/api/contact-data*', '/api/contact-fields*', '/api/photos*'],
    customer_connections: ['/api/company-connections*', '/api/customer/*', '/api/keys*'],
    oauth_apps: ['/api/account/oauth-apps*', '/api/account/recovery-*', '/api/account/client-uses'],
    delegate_management: ['/api/delegates*'],
  };
  const baseline = ['/api/account', '/api/profile', '/oauth2/token', '/api/contact-field-types*'];
  assert.deepEqual(whitelistOf([]), baseline);
  for (const group of capabilities) {
    assert.deepEqual(whitelistOf([group]), [...baseline, ...table[group]]);
  }
  const all = [...baseline, ...Object.values(table).flat()];
  assert.deepEqual(whitelistOf(capabilities), [...new Set(all)]);
});

test('a set of capabilities opens exactly the paths of its patterns', () => {
  fc.assert(
    fc.property(granted, path, (set, asked) => {
      const expected = BASELINE.test(asked) || set.some((group) => GROUPS[group].test(asked));
      assert.equal(opens(whitelistOf(set), asked), expected);
    }),
    { numRuns: 5000 },
  );
});

test('no set opens what is for a portal login alone, the data API or the routes that manage clients', () => {
  const closed = fc
    .tuple(
      fc.constantFrom(
        ...portalOnlyPatterns,
        '/api/company-data/*',
        '/api/account/clients',
        '/api/account/clients/*',
        '/api/person/*',
        '/api/portal/*',
      ),
      part,
    )
    .map(([pattern, tail]) => pattern.replace('*', tail));
  fc.assert(
    fc.property(granted, closed, (set, asked) => assert.equal(opens(whitelistOf(set), asked), false)),
    { numRuns: 5000 },
  );
});

test('more capabilities never close a path, and order and repetition do not matter', () => {
  fc.assert(
    fc.property(granted, granted, path, (few, more, asked) => {
      const all = [...few, ...more];
      if (opens(whitelistOf(few), asked)) assert.ok(opens(whitelistOf(all), asked));
      assert.deepEqual(whitelistOf(all), whitelistOf(inOrder([...all].reverse())));
    }),
  );
});
