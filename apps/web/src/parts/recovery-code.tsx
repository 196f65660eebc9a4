import { Button, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { wrongGroup } from '../platform/recovery.ts';
import { useText } from '../text/index.tsx';
import { Note } from '../ui/note.tsx';
import { Sheet } from './frame.tsx';
import { RecoveryCheck } from './recovery-check.tsx';
import classes from './recovery-code.module.css';
import { SecretCodes } from './secret-codes.tsx';

/** Shows a new recovery code, once, and has it typed back. @param props.finish lets the person in */
export function RecoveryCodeSheet(props: {
  email: string;
  code: string;
  finish: (typed: string) => Promise<void>;
}) {
  const { email, code, finish } = props;
  const { t } = useText();
  const [isKept, setKept] = useState(false);
  if (isKept) {
    return (
      <Sheet title={t('recovery.back')} lead={t('recovery.back.text')}>
        <RecoveryCheck
          label={t('recovery.back.submit')}
          wrongIn={(typed) => wrongGroup(code, typed)}
          check={finish}
        />
        <Button variant="subtle" color="gray" onClick={() => setKept(false)}>
          {t('recovery.show')}
        </Button>
      </Sheet>
    );
  }
  return (
    <Sheet title={t('recovery.title')} lead={t('recovery.text')}>
      <RecoveryCode email={email} code={code} />
      <Needs />
      <Note icon={IconAlertTriangle} tone="warn">
        {t('recovery.lost')}
      </Note>
      <Button className={classes.screen ?? ''} onClick={() => setKept(true)}>
        {t('recovery.done')}
      </Button>
    </Sheet>
  );
}

/** What one needs to come back, which is too late to learn when the password is lost. */
function Needs() {
  const { t } = useText();
  return (
    <div>
      <Text size="sm" fw={600}>
        {t('recovery.needs')}
      </Text>
      <List size="sm">
        <List.Item>{t('recovery.needs.code')}</List.Item>
        <List.Item>{t('recovery.needs.address')}</List.Item>
        <List.Item>{t('recovery.needs.factor')}</List.Item>
      </List>
    </div>
  );
}

/** A recovery code to copy, keep as a file or print, with all that the paper must say. */
export function RecoveryCode({ email, code }: { email: string; code: string }) {
  const { t } = useText();
  const { host } = location;
  return (
    <>
      <SecretCodes
        label={t('recovery.label')}
        groups={code.split('-')}
        value={code}
        file={t('recovery.file')}
        fileText={`${t('recovery.fileText', { email, host })}\n\n${code}\n\n${t('recovery.paper', { host })}\n`}
        print
      />
      <p className={classes.paper}>
        {t('recovery.fileText', { email, host })} {t('recovery.paper', { host })}
      </p>
    </>
  );
}
