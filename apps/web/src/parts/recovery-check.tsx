import { Stack, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useText } from '../text/index.tsx';
import { ActButtons } from './act-buttons.tsx';
import { Problem, useAct } from './problem.tsx';

/** Asks the person to type the recovery code, in any spelling. */
export function RecoveryCheck(props: {
  label: string;
  /** The first group that is wrong, where the code is known here. */
  wrongIn?: (typed: string) => number | undefined;
  check: (typed: string) => Promise<void>;
  cancel?: () => void;
}) {
  const { label, wrongIn, check, cancel } = props;
  const { t } = useText();
  const { busy, error, run } = useAct();
  const [code, setCode] = useState('');
  const [wrong, setWrong] = useState<number>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = wrongIn?.(code);
    setWrong(found);
    if (found === undefined) run(() => check(code));
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Textarea
          label={t('recovery.type')}
          description={t('recovery.type.hint')}
          name="recovery-code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          autosize
          minRows={2}
          required
          data-autofocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={wrong !== undefined && t('recovery.wrongGroup', { group: wrong })}
        />
        <Problem error={error} />
        <ActButtons label={label} busy={busy} cancel={cancel} />
      </Stack>
    </form>
  );
}
