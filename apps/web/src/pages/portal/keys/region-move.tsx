import { List as Bullets, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import type { RegionMigration } from '@symbolon/protocol';
import { IconWorld } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Loaded } from '../../../parts/loaded.tsx';
import { usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { ProofForm } from '../../../parts/proof-form.tsx';
import { ProverContext } from '../../../parts/prover.ts';
import { RowSheet } from '../../../parts/row-sheet.tsx';
import { When } from '../../../parts/when.tsx';
import { proverOf } from '../../../platform/portal/presence.ts';
import { MOVE_ACT, moveCompany, regionsQuery } from '../../../platform/portal/region-move.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Group } from '../../../ui/group.tsx';
import { IconTile } from '../../../ui/icon.tsx';
import { List } from '../../../ui/list.tsx';
import { Note } from '../../../ui/note.tsx';

const WHAT_HAPPENS = ['move.all', 'move.paused', 'move.clients'] as const;

/** The region in which the company is at home, and the move to another one, for owners. Where there is one region, nothing is shown. */
export function RegionMove() {
  const { t } = usePortalText();
  const read = useRead(regionsQuery);
  return (
    <Loaded of={read} height={72}>
      {({ regions, last }) =>
        regions.length > 1 && (
          <Group title={t('move.title')}>
            {last !== null && <LastMove last={last} />}
            {last?.status !== 'under_way' && (
              <List>
                <RowSheet
                  heading={t('move.act')}
                  leading={<IconTile icon={IconWorld} />}
                  title={t('move.act')}
                  detail={t('move.act.text')}
                >
                  {(close) => <Moving regions={regions} close={close} done={read.load} />}
                </RowSheet>
              </List>
            )}
          </Group>
        )
      }
    </Loaded>
  );
}

function LastMove({
  last: { from, to, status, started_at: begun, ended_at: ended },
}: {
  last: RegionMigration;
}) {
  const { t } = usePortalText();
  return (
    <Note icon={IconWorld}>
      {t(`move.${status}`, { from, to })} <When at={ended ?? begun} />.
    </Note>
  );
}

function Moving({
  regions,
  close,
  done,
}: {
  regions: readonly string[];
  close: () => void;
  done: () => Promise<void>;
}) {
  const { t } = usePortalText();
  const session = usePortalLogin();
  const prover = useMemo(() => proverOf(session), [session]);
  const [region, setRegion] = useState('');
  const [typed, setTyped] = useState('');
  const { name } = session.company;
  return (
    <Stack>
      <Bullets size="sm">
        {WHAT_HAPPENS.map((key) => (
          <Bullets.Item key={key}>{t(key)}</Bullets.Item>
        ))}
      </Bullets>
      <NativeSelect
        label={t('move.region')}
        autoComplete="off"
        data={[{ value: '', label: '' }, ...regions.map((value) => ({ value, label: value }))]}
        value={region}
        onChange={(event) => setRegion(event.currentTarget.value)}
      />
      <TextInput
        label={t('end.type', { name })}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {region !== '' && typed.trim() === name && (
        <ProverContext value={prover}>
          <ProofForm
            act={MOVE_ACT}
            label={t('move.act')}
            prove={async (proof) => {
              await moveCompany(region, proof);
              await done();
              close();
            }}
            cancel={close}
          />
        </ProverContext>
      )}
      <Text size="sm" c="dimmed">
        {t('move.same')}
      </Text>
    </Stack>
  );
}
