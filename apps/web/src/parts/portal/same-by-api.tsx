import { SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import type { SameCall } from '../../platform/portal/same-calls.ts';
import { usePortalText } from '../../text/portal/index.tsx';
import { CodeBlock } from '../../ui/code.tsx';
import { CopyButton } from '../copy-button.tsx';
import classes from './same-by-api.module.css';

/** What the page does, as a program would do it. */
export function SameByApi({ method, path, body, sdk }: SameCall) {
  const { t } = usePortalText();
  const [by, setBy] = useState<'cli' | 'curl' | 'sdk'>('cli');
  const json = body === undefined ? undefined : JSON.stringify(body, null, 2);
  const quoted = json?.replaceAll("'", "'\\''");
  const texts = {
    cli: `symbolon api ${method} ${path}${quoted === undefined ? '' : ` --json '${quoted}'`}`,
    curl: [
      `curl -X ${method} ${location.origin}${path}`,
      '  -H "Authorization: Bearer $TOKEN"',
      ...(quoted === undefined ? [] : ['  -H "Content-Type: application/json"', `  -d '${quoted}'`]),
    ].join(' \\\n'),
    sdk: sdk ?? '',
  };
  return (
    <details className={classes.details}>
      <summary className={classes.summary}>{t('sameByApi.title')}</summary>
      <Stack gap="xs">
        <div className={classes.head}>
          <SegmentedControl
            size="xs"
            aria-label={t('sameByApi.by')}
            value={by}
            onChange={(chosen) => setBy(chosen as typeof by)}
            data={[
              { value: 'cli', label: 'CLI' },
              { value: 'curl', label: 'curl' },
              ...(sdk === undefined ? [] : [{ value: 'sdk', label: 'SDK' }]),
            ]}
          />
          <CopyButton value={texts[by]} />
        </div>
        <CodeBlock label={t('sameByApi.title')}>{texts[by]}</CodeBlock>
      </Stack>
    </details>
  );
}
