import { Alert } from '@mantine/core';
import type { Asked } from '../../platform/document-states.ts';
import type { Warnings } from '../../platform/documents.ts';
import type { Read } from '../../platform/read.ts';
import { useInsideText } from '../../text/inside/index.tsx';

/** By how it is built, or by how it is drawn. */
export type Apart = Extract<Warnings, string>;

/**
 * Tells who is to sign or accept a PDF what it holds beside the pages that are shown.
 * @param warnings what it holds, once it is read
 * @param apart why other programs would show other pages, where they would
 */
export function BesidePages({
  warnings: { found: warnings, error },
  asked,
  apart,
}: {
  warnings: Pick<Read<Warnings>, 'found' | 'error'>;
  asked: Asked;
  apart: Apart | undefined;
}) {
  const { t, language } = useInsideText();
  if (apart !== undefined)
    return (
      <Alert color="orange" variant="light" role="status">
        {t(`documents.beside.${apart}`)}
      </Alert>
    );
  if (typeof warnings === 'string' || (error === undefined && !warnings?.length)) return null;
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
