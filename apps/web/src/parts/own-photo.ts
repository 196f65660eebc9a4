import { fileQuery } from '../platform/files.ts';
import { useRead } from '../platform/read.ts';
import { useOpenFields } from './answers/use-open-fields.ts';
import { useDataUri } from './data-uri.ts';

/** Nothing is shown while it is opened. */
const unreported = () => {};

/**
 * The first photo that the person keeps, opened here. No company and not the platform sees it but as an answer.
 * @returns its field, null where there is none, undefined before that is known
 */
export function useOwnPhoto() {
  const { found: fields } = useOpenFields();
  const field = fields && (fields.fields.find(({ type, file }) => type === 'photo' && file) ?? null);
  const files = useRead(field ? fileQuery(field.id, unreported) : undefined).found?.files;
  const shown = files?.find(({ label }) => label === 'thumb') ?? files?.[0];
  return { field, picture: useDataUri(shown?.bytes, shown?.mimeType) };
}
