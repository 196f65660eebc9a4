import { Checkbox } from '@mantine/core';
import type { ServerKeys } from '@symbolon/protocol';
import { IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { Loaded } from '../../../parts/loaded.tsx';
import { ActButton } from '../../../parts/operator/act-button.tsx';
import { ActSheet } from '../../../parts/operator/act-sheet.tsx';
import { When } from '../../../parts/when.tsx';
import { dropServerKey, rotateServerKeys, serverKeysQuery } from '../../../platform/operator/care.ts';
import { useRead } from '../../../platform/read.ts';
import { useOperatorText } from '../../../text/operator/index.tsx';
import { Group } from '../../../ui/group.tsx';
import { Note } from '../../../ui/note.tsx';
import { Status } from '../../../ui/status.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';

type Version = ServerKeys['versions'][number];

/** The versions of the server's secret. What they are is shown nowhere. */
export function ServerKeysSection() {
  const { t } = useOperatorText();
  const keys = useRead(serverKeysQuery);
  const [isRotating, setIsRotating] = useState(false);
  const [progress, setProgress] = useState<{ done: number; remaining: number }>();
  const [dropping, setDropping] = useState<Version>();
  return (
    <Group title={t('keys.server')} lead={t('keys.server.lead')}>
      <Loaded of={keys} height={160}>
        {(found) => <Versions keys={found} drop={setDropping} />}
      </Loaded>
      {progress !== undefined && (
        <Note icon={IconInfoCircle} tone={progress.remaining === 0 ? 'good' : 'accent'}>
          <span role="status">
            {progress.remaining === 0
              ? t('keys.rotated', { count: progress.done })
              : t('keys.rotating', progress)}
          </span>
        </Note>
      )}
      <div>
        <ActButton variant="default" onClick={() => setIsRotating(true)}>
          {t('keys.rotate')}
        </ActButton>
      </div>
      {isRotating && (
        <ActSheet
          title={t('keys.rotate')}
          text={t('keys.rotate.text')}
          label={t('keys.rotate')}
          close={() => setIsRotating(false)}
          act={async () => {
            setProgress(undefined);
            await rotateServerKeys((done, remaining) => setProgress({ done, remaining }));
            await keys.load();
          }}
        />
      )}
      {dropping !== undefined && (
        <DropSheet version={dropping} close={() => setDropping(undefined)} changed={keys.load} />
      )}
    </Group>
  );
}

function Versions({
  keys: { current, versions },
  drop,
}: {
  keys: ServerKeys;
  drop: (version: Version) => void;
}) {
  const { t, language } = useOperatorText();
  const number = new Intl.NumberFormat(language);
  const columns: Column<Version>[] = [
    { key: 'version', title: t('keys.version'), cell: ({ version }) => version },
    {
      key: 'state',
      title: t('checks.state'),
      cell: ({ version, available }) => (
        <Status tone={!available ? 'bad' : version === current ? 'good' : 'neutral'}>
          {t(!available ? 'keys.missing' : version === current ? 'keys.current' : 'keys.former')}
        </Status>
      ),
    },
    { key: 'encrypted', title: t('keys.encrypted'), end: true, cell: (row) => number.format(row.encrypted) },
    {
      key: 'hashes',
      title: t('keys.hashes'),
      end: true,
      wide: true,
      cell: (row) => number.format(row.hashes),
    },
    {
      key: 'tokens',
      title: t('keys.tokens'),
      wide: true,
      cell: ({ version, tokens_until: until }) =>
        version === current ? (
          t('keys.tokens.current')
        ) : until === null ? (
          t('well.none')
        ) : (
          <When at={until} />
        ),
    },
    {
      key: 'act',
      title: t('operator.acts'),
      cell: (row) =>
        row.version !== current &&
        row.available && (
          <ActButton
            variant="default"
            size="compact-sm"
            h={32}
            aria-label={t('keys.drop.title', { version: row.version })}
            onClick={() => drop(row)}
          >
            {t('keys.drop')}
          </ActButton>
        ),
    },
  ];
  return (
    <DataTable
      label={t('operator.table', { name: t('keys.server') })}
      columns={columns}
      rows={versions}
      keyOf={({ version }) => String(version)}
    />
  );
}

function DropSheet(props: { version: Version; close: () => void; changed: () => Promise<void> }) {
  const { version, close, changed } = props;
  const { t } = useOperatorText();
  const [isForced, setIsForced] = useState(false);
  const isNeeded = version.hashes > 0 || version.tokens_until !== null;
  return (
    <ActSheet
      title={t('keys.drop.title', { version: version.version })}
      text={t('keys.drop.text')}
      label={t('keys.drop')}
      typed={t('keys.drop.typed', { version: version.version })}
      disabled={isNeeded && !isForced}
      close={close}
      act={async () => {
        await dropServerKey(version.version, isForced);
        await changed();
      }}
    >
      {isNeeded && (
        <Checkbox
          label={t('keys.drop.force')}
          description={t('keys.drop.force.text', { hashes: version.hashes })}
          checked={isForced}
          onChange={(event) => setIsForced(event.currentTarget.checked)}
        />
      )}
    </ActSheet>
  );
}
