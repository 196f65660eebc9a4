/**
 * What the catalogue says of an error; undefined where it has no text for it. What the platform itself says is written for programmers, in
 * English, and is not shown.
 */
export function textOfError(
  { errorKey, reason }: { errorKey: string; reason?: unknown },
  maybe: (key: string) => string | undefined,
): string | undefined {
  const special = typeof reason === 'string' ? maybe(`error.${errorKey}.${reason}`) : undefined;
  return special ?? maybe(`error.${errorKey}`);
}
