import { Alert } from '@mantine/core';
import { useEffect } from 'react';
import type { Asked } from '../../platform/document-states.ts';
import { warningsQuery } from '../../platform/documents.ts';
import { useRead } from '../../platform/read.ts';
import { useText } from '../../text/index.tsx';

/**
 * Tells who is to sign or accept a PDF what it holds beside the pages that are shown.
 * @param isApart whether another program has drawn other pages
 * @param refused called when other programs would show other pages: then nothing is signed
 */
export function BesidePages({
  bytes,
  asked,
  isApart,
  refused,
}: {
  bytes: Uint8Array;
  asked: Asked;
  isApart: boolean;
  refused: () => void;
}) {
  const { t, language } = useText();
  const { found: warnings, error } = useRead(warningsQuery(bytes));
  useEffect(() => {
    if (warnings === 'ambiguous') refused();
  }, [warnings, refused]);
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
