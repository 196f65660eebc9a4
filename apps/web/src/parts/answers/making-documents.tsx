import { Button, Group, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useInsideText } from '../../text/inside/index.tsx';
import { Mark } from '../mark.tsx';
import { Problem, useAct } from '../problem.tsx';
import { Section } from '../section.tsx';

/** Makes the documents, at once; again when that failed. */
export function MakingDocuments({ make, made }: { make: () => Promise<unknown>; made: () => void }) {
  const { t } = useInsideText();
  const { busy, error, run: attempt } = useAct();
  const hasBegun = useRef(false);
  const generate = () =>
    attempt(async () => {
      await make();
      made();
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins once
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    generate();
  }, []);
  return (
    <Section title={t('flows.generating')} lead={t('flows.generating.text')}>
      {busy ? (
        <Group role="status" gap="xs">
          <Mark loading />
          <Text size="sm">{t('flows.generating.now')}</Text>
        </Group>
      ) : (
        <>
          <Problem error={error} />
          <Group>
            <Button onClick={generate}>{t('flows.generate')}</Button>
          </Group>
        </>
      )}
    </Section>
  );
}
