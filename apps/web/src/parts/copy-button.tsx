import { Button } from '@mantine/core';
import { useState } from 'react';
import { useText } from '../text/index.tsx';

/** Copies a text and says that it did. */
export function CopyButton({ value, label }: { value: string; label?: string }) {
  const { t } = useText();
  const [copied, setCopied] = useState(false);
  return (
    <Button
      variant="default"
      onClick={() => navigator.clipboard.writeText(value).then(() => setCopied(true))}
      onBlur={() => setCopied(false)}
    >
      <span aria-live="polite">{copied ? t('app.copied') : (label ?? t('app.copy'))}</span>
    </Button>
  );
}
