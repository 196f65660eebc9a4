import { Alert, Button, FileButton, Loader, Paper, Stack, Text } from '@mantine/core';
import type { Verification } from '@symbolon/pdf/verify';
import { type DragEvent, useState } from 'react';
import { Frame, Sheet } from '../../parts/frame.tsx';
import { Problem, useAct } from '../../parts/problem.tsx';
import { FILE_MOST, verifyFile } from '../../platform/verify.ts';
import { InsideTextProvider, useInsideText } from '../../text/inside/index.tsx';
import { Result } from './result.tsx';
import classes from './verify-page.module.css';

type Found = { readonly name: string; readonly verification: Verification };

/** Tells the holder of a sealed PDF what was signed, by whom, and whether it is unchanged. No account is needed. */
export function VerifyPage() {
  return (
    <InsideTextProvider>
      <Verify />
    </InsideTextProvider>
  );
}

function Verify() {
  const { t } = useInsideText();
  const { busy, error, run, clear } = useAct();
  const [chosen, setChosen] = useState<File>();
  const [found, setFound] = useState<Found>();
  const [isOver, setOver] = useState(false);
  const verify = (file: File | null | undefined) => {
    if (!file) return;
    clear();
    setChosen(file);
    setFound(undefined);
    if (file.size > FILE_MOST) return;
    run(async () => setFound({ name: file.name, verification: await verifyFile(file) }));
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    verify(event.dataTransfer.files[0]);
  };
  return (
    <Frame>
      <Sheet title={t('verify.title')} lead={t('verify.lead')}>
        <Paper
          className={classes.place}
          data-over={isOver || undefined}
          p="lg"
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          <Stack align="center" gap="xs">
            <FileButton
              accept="application/pdf,.pdf"
              onChange={verify}
              inputProps={{ 'aria-label': t('verify.choose') }}
            >
              {(props) => (
                <Button {...props} variant={found === undefined ? 'filled' : 'default'} disabled={busy}>
                  {found === undefined ? t('verify.choose') : t('verify.another')}
                </Button>
              )}
            </FileButton>
            <Text size="sm" c="dimmed">
              {t('verify.drop')}
            </Text>
          </Stack>
        </Paper>
        {chosen !== undefined && chosen.size > FILE_MOST && (
          <Alert color="red" variant="light" role="alert">
            {t('verify.tooLarge', { name: chosen.name, most: FILE_MOST / 2 ** 20 })}
          </Alert>
        )}
        <Problem error={error} retry={() => verify(chosen)} />
        <div role="status">
          {busy && <Loader role="progressbar" aria-label={t('app.loading')} size="sm" />}
          {found !== undefined && (
            <Result key={found.name} name={found.name} verification={found.verification} />
          )}
        </div>
      </Sheet>
    </Frame>
  );
}
