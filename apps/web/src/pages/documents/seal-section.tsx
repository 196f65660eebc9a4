import { Loader } from '@mantine/core';
import type { Verification } from '@symbolon/pdf/verify';
import { useCallback } from 'react';
import { Problem } from '../../parts/problem.tsx';
import { useRead } from '../../parts/read.ts';
import { Section } from '../../parts/section.tsx';
import { onFiles } from '../../platform/file-acts.ts';
import { useText } from '../../text/index.tsx';
import { Result } from '../verify/result.tsx';

/** Verifies the seal of the file that is shown, in this browser. */
export function SealSection({ name, bytes }: { name: string; bytes: Uint8Array }) {
  const { t } = useText();
  const verify = useCallback((): Promise<Verification> => onFiles('verifySeal', { bytes }), [bytes]);
  const { found: verification, error } = useRead(verify);
  return (
    <Section title={t('documents.seal')} lead={t('documents.seal.text')}>
      <Problem error={error} />
      {verification === undefined && error === undefined && (
        <Loader aria-label={t('app.loading')} size="sm" />
      )}
      {verification !== undefined && <Result name={name} verification={verification} />}
    </Section>
  );
}
