import { Alert, Button, Text } from '@mantine/core';
import { useText } from '../text/index.tsx';
import { Sheet } from './frame.tsx';
import { SecretCodes } from './secret-codes.tsx';

/** Shows a new recovery code, once. */
export function RecoveryCodeSheet({ email, code, done }: { email: string; code: string; done: () => void }) {
  const { t } = useText();
  return (
    <Sheet title={t('recovery.title')} lead={t('recovery.text')}>
      <RecoveryCode email={email} code={code} />
      <Alert color="orange" variant="light">
        <Text size="sm">{t('recovery.lost')}</Text>
      </Alert>
      <Button onClick={done}>{t('recovery.done')}</Button>
    </Sheet>
  );
}

export function RecoveryCode({ email, code }: { email: string; code: string }) {
  const { t } = useText();
  return (
    <SecretCodes
      label={t('recovery.label')}
      groups={code.split('-')}
      value={code}
      file={t('recovery.file')}
      fileText={`${t('recovery.fileText', { email, host: location.host })}\n\n${code}\n`}
    />
  );
}
