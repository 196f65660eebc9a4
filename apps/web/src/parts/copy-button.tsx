import { Button } from '@mantine/core';
import { useState } from 'react';
import { useText } from '../text/index.tsx';

/** What a button does that copies a text, and whether it has just done so. */
export function useCopy(value: string) {
  const [copied, setCopied] = useState(false);
  return {
    copied,
    acts: {
      onClick: () => navigator.clipboard.writeText(value).then(() => setCopied(true)),
      onBlur: () => setCopied(false),
    },
  };
}

/** Copies a text and says that it did. */
export function CopyButton({ value, label }: { value: string; label?: string }) {
  const { t } = useText();
  const { copied, acts } = useCopy(value);
  return (
    <Button variant="default" {...acts}>
      <span aria-live="polite">{copied ? t('app.copied') : (label ?? t('app.copy'))}</span>
    </Button>
  );
}
