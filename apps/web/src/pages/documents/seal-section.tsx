import { Loader } from '@mantine/core';
import type { Verification } from '@symbolon/pdf/verify';
import { useEffect, useState } from 'react';
import { Problem, useAct } from '../../parts/problem.tsx';
import { Section } from '../../parts/section.tsx';
import { onFiles } from '../../platform/file-acts.ts';
import { useText } from '../../text/index.tsx';
import { Result } from '../verify/result.tsx';

/** Verifies the seal of the file that is shown, in this browser. */
export function SealSection({ name, bytes }: { name: string; bytes: Uint8Array }) {
  const { t } = useText();
  const { error, run } = useAct();
  const [verification, setVerification] = useState<Verification>();
  useEffect(() => {
    let isCurrent = true;
    setVerification(undefined);
    run(async () => {
      const found = await onFiles('verifySeal', { bytes });
      // Of another file by now: what was found of the former one must not take its place.
      if (isCurrent) setVerification(found);
    });
    return () => {
      isCurrent = false;
    };
  }, [bytes, run]);
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
