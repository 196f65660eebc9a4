import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { usePortalText } from '../../../text/portal/index.tsx';

/** The addresses to which a sign-in may lead back, one on each line. */
export function RedirectUris(props: { value: readonly string[]; change: (uris: readonly string[]) => void }) {
  const { t } = usePortalText();
  const [text, setText] = useState(props.value.join('\n'));
  const typed = (next: string) => {
    setText(next);
    const lines = next.split('\n').map((line) => line.trim());
    props.change([...new Set(lines.filter((line) => line !== ''))]);
  };
  return (
    <Textarea
      label={t('apps.uris')}
      description={t('apps.uris.hint')}
      autoComplete="off"
      spellCheck={false}
      required
      autosize
      minRows={2}
      maxRows={8}
      value={text}
      onChange={(event) => typed(event.currentTarget.value)}
    />
  );
}
