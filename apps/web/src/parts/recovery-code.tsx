import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useText } from '../text/index.tsx';
import { CopyButton } from './copy-button.tsx';
import { Sheet } from './frame.tsx';
import classes from './recovery-code.module.css';

/** Shows a new recovery code, once. */
export function RecoveryCodeSheet({ email, code, done }: { email: string; code: string; done: () => void }) {
  const { t } = useText();
  return (
    <Sheet title={t('recovery.title')} lead={t('recovery.text')}>
      <Stack gap="sm">
        <Code block className={classes.code} aria-label={t('recovery.label')} data-testid="recovery-code">
          {code.split('-').map((group, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one code never change places
            <span key={index}>{group} </span>
          ))}
        </Code>
        <Group grow>
          <CopyButton value={code} />
          <Button variant="default" onClick={() => download(t('recovery.file'), textOf())}>
            {t('app.download')}
          </Button>
        </Group>
      </Stack>
      <Alert color="orange" variant="light">
        <Text size="sm">{t('recovery.lost')}</Text>
      </Alert>
      <Button onClick={done}>{t('recovery.done')}</Button>
    </Sheet>
  );

  function textOf(): string {
    return `${t('recovery.fileText', { email, host: location.host })}\n\n${code}\n`;
  }
}

function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
