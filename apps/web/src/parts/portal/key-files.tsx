import { Button } from '@mantine/core';
import { IconFileText, IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import type { ServiceKey } from '../../platform/portal/services.ts';
import { usePortalText } from '../../text/portal/index.tsx';
import { IconTile } from '../../ui/icon.tsx';
import { List, Row } from '../../ui/list.tsx';
import { Status } from '../../ui/status.tsx';
import { download } from '../download.ts';

/** A private key, encrypted, and what it is encrypted under. */
export type KeyFilePair = Pick<ServiceKey, 'privateKeyPem' | 'passphrase'>;

/** The two files of a key pair that was made here: the private key and its passphrase. */
export function KeyFiles(props: {
  /** What the key is for; the files have its name. */
  name: string;
  pair: KeyFilePair;
  /** Called when both were saved. */
  saved: () => void;
}) {
  const { name, pair, saved } = props;
  const { t } = usePortalText();
  const [done, setDone] = useState<ReadonlySet<string>>(new Set());
  const files = [
    {
      file: `${fileNameOf(name)}.pem`,
      icon: IconLock,
      about: t('services.new.pem'),
      content: pair.privateKeyPem,
    },
    { ...passphraseFile(name, pair.passphrase), icon: IconFileText, about: t('services.new.passphrase') },
  ];
  const save = (file: string, content: string) => {
    download(file, new Blob([content], { type: 'text/plain' }));
    const next = new Set([...done, file]);
    setDone(next);
    if (next.size === files.length) saved();
  };
  return (
    <List>
      {files.map(({ file, icon, about, content }) => (
        <Row
          key={file}
          leading={<IconTile icon={icon} tone="accent" />}
          title={file}
          detail={about}
          trailing={
            <>
              {done.has(file) && <Status tone="good">{t('services.new.saved')}</Status>}
              <Button
                variant={done.has(file) ? 'default' : 'filled'}
                size="sm"
                aria-label={`${t('services.new.save')}: ${file}`}
                onClick={() => save(file, content)}
              >
                {t('services.new.save')}
              </Button>
            </>
          }
        />
      ))}
    </List>
  );
}

/** The file of a passphrase, as programs read it. @param name what the key is for */
export const passphraseFile = (name: string, passphrase: string) => ({
  file: `${fileNameOf(name)}.passphrase`,
  content: `${passphrase}\n`,
});

/** A name of a file that every system takes. */
export function fileNameOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return plain || 'service';
}
