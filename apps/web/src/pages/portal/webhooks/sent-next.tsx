import { SegmentedControl } from '@mantine/core';
import type { Webhook } from '@symbolon/protocol';
import { useState } from 'react';
import { Loaded } from '../../../parts/loaded.tsx';
import { previewQuery } from '../../../platform/portal/webhooks.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { CodeBlock } from '../../../ui/code.tsx';
import { Group } from '../../../ui/group.tsx';

type Format = 'json' | 'xml';

/** The body that is sent next, in the format of the webhook first. */
export function SentNext({ serviceId, webhook }: { serviceId: string; webhook: Webhook }) {
  const { t } = usePortalText();
  const { id, format, oldest_backlog_at: oldest } = webhook;
  const preview = useRead(previewQuery(serviceId, id, oldest));
  const [shown, setShown] = useState<Format>(format);
  const isExample = preview.found?.example ?? true;
  return (
    <Group
      title={t('webhook.preview')}
      lead={t(isExample ? 'webhook.preview.example' : 'webhook.preview.waiting')}
      aside={
        <SegmentedControl
          size="sm"
          aria-label={t('webhook.preview.format')}
          value={shown}
          onChange={(chosen) => setShown(chosen as Format)}
          data={[
            { value: 'json', label: 'JSON' },
            { value: 'xml', label: 'XML' },
          ]}
        />
      }
    >
      <Loaded of={preview} height={180}>
        {(found) => (
          <CodeBlock label={t('webhook.preview.body')}>
            {shown === 'json'
              ? JSON.stringify(JSON.parse(found.json), null, 2)
              : found.xml.replaceAll('><', '>\n<')}
          </CodeBlock>
        )}
      </Loaded>
    </Group>
  );
}
