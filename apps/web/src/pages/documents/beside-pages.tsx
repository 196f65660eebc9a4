import { Alert } from '@mantine/core';
import type { Asked } from '../../platform/document-states.ts';
import type { Warnings } from '../../platform/documents.ts';
import type { Read } from '../../platform/read.ts';
import { useInsideText } from '../../text/inside/index.tsx';

/**
 * Tells who is to sign or accept a PDF what it holds beside the pages that are shown.
 * @param warnings what it holds, once it is read
 * @param isApart whether other programs would show other pages
 */
export function BesidePages({
  warnings: { found: warnings, error },
  asked,
  isApart,
}: {
  warnings: Pick<Read<Warnings>, 'found' | 'error'>;
  asked: Asked;
  isApart: boolean;
}) {
  const { t, language } = useInsideText();
  if (warnings === 'ambiguous' || isApart)
    return (
      <Alert color="orange" variant="light" role="status">
        {t('documents.beside.ambiguous')}
      </Alert>
    );
  if (error === undefined && (warnings === undefined || warnings.length === 0)) return null;
  const things = new Intl.ListFormat(language).format(
    (warnings ?? []).map((warning) => t(`documents.beside.${warning}`)),
  );
  return (
    <Alert color="gray" variant="light" role="status">
      {warnings === undefined ? t('documents.beside.unknown') : t('documents.beside', { things })}{' '}
      {t(`documents.beside.not.${asked}`)}
    </Alert>
  );
}
