import { fileQuery } from '../platform/files.ts';
import { useRead } from '../platform/read.ts';
import { useOpenFields } from './answers/use-open-fields.ts';
import { useDataUri } from './data-uri.ts';

/** Nothing is shown while it is opened. */
const unreported = () => {};

/** The first photo that the person keeps, opened here. No company and not the platform sees it but as an answer. */
export function useOwnPhoto() {
  const { found: fields } = useOpenFields();
  const field = fields?.fields.find(({ type, file }) => type === 'photo' && file !== undefined);
  const files = useRead(field && fileQuery(field.id, unreported)).found?.files;
  const shown = files?.find(({ label }) => label === 'thumb') ?? files?.[0];
  return { field, isKnown: fields !== undefined, picture: useDataUri(shown?.bytes, shown?.mimeType) };
}
