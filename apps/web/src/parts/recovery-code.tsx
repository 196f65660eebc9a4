import { Alert, Button, Text } from '@mantine/core';
import { useText } from '../text/index.tsx';
import { Sheet } from './frame.tsx';
import { Problem, useAct } from './problem.tsx';
import { SecretCodes } from './secret-codes.tsx';

/** Shows a new recovery code, once. @param props.finish lets the person in */
export function RecoveryCodeSheet(props: { email: string; code: string; finish: () => Promise<void> }) {
  const { email, code, finish } = props;
  const { t } = useText();
  const { busy, error, run } = useAct();
  return (
    <Sheet title={t('recovery.title')} lead={t('recovery.text')}>
      <RecoveryCode email={email} code={code} />
      <Alert color="orange" variant="light">
        <Text size="sm">{t('recovery.lost')}</Text>
      </Alert>
      <Problem error={error} />
      <Button onClick={() => run(finish)} loading={busy}>
        {t('recovery.done')}
      </Button>
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
