import { Stack, Text } from '@mantine/core';
import { When } from '../../parts/when.tsx';
import type { Read } from '../../platform/documents.ts';
import { useInsideText } from '../../text/inside/index.tsx';

/** What the person did with a document, and when. */
export function ActsList({ document: { signatures } }: { document: Read }) {
  const { t } = useInsideText();
  if (signatures.length === 0) return null;
  return (
    <Stack gap={4} role="status">
      {signatures.map((act) => {
        const { action, method, signer_first_name: first, signer_last_name: last, created_at } = act;
        const name = [first, last].filter(Boolean).join(' ');
        return (
          <Text key={action} size="sm">
            {name === '' ? t(`documents.did.${action}`) : t('documents.did.signedAs', { name })}
            {' · '}
            <When at={created_at} />
            {method !== null && ` · ${t(`verify.method.${method}`)}`}
            {act.signer_name_verified === true && ` · ${t('verify.nameVerified')}`}
          </Text>
        );
      })}
    </Stack>
  );
}
