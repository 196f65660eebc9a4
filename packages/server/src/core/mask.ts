const BULLETS = '••••';

/** Four bullets and the last four characters; of a short secret nothing is shown. */
export function mask(secret: string | null): string | null {
  if (secret === null) return null;
  return secret.length >= 8 ? `${BULLETS}${secret.slice(-4)}` : BULLETS;
}

/** Whether a secret comes back as it was shown. */
export const isMasked = (secret: string | null) => secret?.startsWith(BULLETS) ?? false;
