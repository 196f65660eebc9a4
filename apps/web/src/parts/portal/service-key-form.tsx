import { Button, Group, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { openServiceKey } from '../../platform/portal/copies.ts';
import { usePortalText } from '../../text/portal/index.tsx';
import { PasswordField } from '../fields.tsx';
import { Problem, useAct } from '../problem.tsx';
import { Section } from '../section.tsx';
import { ChooseFile } from './choose-file.tsx';

/** Takes the key of the service from its file. It does not leave this browser. */
export function ServiceKeyForm({
  serviceId,
  title,
  done,
}: {
  serviceId: string;
  title: string;
  done?: () => void;
}) {
  const { t } = usePortalText();
  const { busy, error, run } = useAct();
  const [file, setFile] = useState<File | null>(null);
  const [passphrase, setPassphrase] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (file === null) return;
    run(async () => {
      await openServiceKey(serviceId, file, passphrase);
      done?.();
    });
  };
  return (
    <Section title={title} lead={t('copy.key.lead')}>
      <form onSubmit={submit}>
        <Stack>
          <ChooseFile
            label={t('copy.key.choose')}
            accept=".pem,application/x-pem-file"
            file={file}
            choose={setFile}
          />
          <PasswordField
            label={t('copy.key.passphrase')}
            name="passphrase"
            value={passphrase}
            change={setPassphrase}
          />
          <Problem error={error} />
          <Group>
            <Button type="submit" loading={busy} disabled={file === null}>
              {t('copy.key.open')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
