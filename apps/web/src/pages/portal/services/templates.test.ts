import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@symbolon/protocol/constants';
import { dePortal } from '../../../text/portal/de.ts';
import { enPortal } from '../../../text/portal/en.ts';
import { rowsOf, templateNames } from './templates.ts';

test('every question of a template says why it is asked, and nothing else does', () => {
  for (const texts of [enPortal, dePortal]) {
    const reasons = new Map(Object.entries(texts).filter(([key]) => key.startsWith('template.reason.')));
    const asked = templateNames.flatMap((template) =>
      rowsOf(template, (name) => {
        const reason = reasons.get(['template.reason', template, name].join('.'));
        return { label: name, reason };
      }).map(({ slug, reason }) => [`${template} ${slug}`, reason] as const),
    );
    assert.equal(asked.length, reasons.size);
    for (const [place, reason] of asked)
      assert.ok(reason && reason.length <= limits.requestReasonMost, place);
  }
});
