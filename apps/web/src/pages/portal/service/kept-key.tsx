import { Stack, Text } from '@mantine/core';
import type { Service } from '@symbolon/protocol';
import { IconKey } from '@tabler/icons-react';
import { useMemo } from 'react';
import { download } from '../../../parts/download.ts';
import { fileNameOf } from '../../../parts/portal/key-files.tsx';
import { usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { ProofForm } from '../../../parts/proof-form.tsx';
import { ProverContext } from '../../../parts/prover.ts';
import { RowSheet } from '../../../parts/row-sheet.tsx';
import { servicePem, servicePemAct } from '../../../platform/portal/kept-keys.ts';
import { proverOf } from '../../../platform/portal/presence.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Group } from '../../../ui/group.tsx';
import { IconTile } from '../../../ui/icon.tsx';
import { List } from '../../../ui/list.tsx';

/** The key file of the service, as the platform keeps it. For developers. */
export function KeptKey({ id, name }: Service) {
  const { t } = usePortalText();
  return (
    <Group title={t('settings.key')} lead={t('settings.key.lead')}>
      <List>
        <RowSheet
          heading={t('settings.key.save')}
          leading={<IconTile icon={IconKey} />}
          title={t('settings.key.save')}
          detail={t('settings.key.save.text')}
        >
          {(close) => <Saving id={id} name={name} close={close} />}
        </RowSheet>
      </List>
    </Group>
  );
}

function Saving({ id, name, close }: Pick<Service, 'id' | 'name'> & { close: () => void }) {
  const { t } = usePortalText();
  const session = usePortalLogin();
  const prover = useMemo(() => proverOf(session), [session]);
  return (
    <Stack>
      <Text size="sm">{t('settings.key.prove')}</Text>
      <ProverContext value={prover}>
        <ProofForm
          act={servicePemAct(id)}
          label={t('settings.key.save')}
          prove={async (proof) => {
            download(`${fileNameOf(name)}.pem`, await servicePem(id, proof));
            close();
          }}
          cancel={close}
        />
      </ProverContext>
    </Stack>
  );
}
