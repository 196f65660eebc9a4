import { Loader } from '@mantine/core';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/section.tsx';
import { sealQuery } from '../../platform/documents.ts';
import { useRead } from '../../platform/read.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Result } from '../verify/result.tsx';

/** Verifies the seal of the file that is shown, in this browser. */
export function SealSection({ name, bytes }: { name: string; bytes: Uint8Array }) {
  const { t } = useInsideText();
  return (
    <Section title={t('documents.seal')} lead={t('documents.seal.text')}>
      <Loaded
        of={useRead(sealQuery(bytes))}
        waiting={<Loader role="progressbar" aria-label={t('app.loading')} size="sm" />}
      >
        {(verification) => <Result name={name} verification={verification} />}
      </Loaded>
    </Section>
  );
}
