import { Button, TextInput } from '@mantine/core';
import type { PresenceOptions } from '@symbolon/protocol';
import { use, useRef, useState } from 'react';
import type { Second } from '../platform/presence.ts';
import { useText } from '../text/index.tsx';
import { Problem, useAct } from './problem.tsx';
import { ProverContext } from './prover.ts';

/**
 * The code that goes with the password in a proof.
 * @param strong whether the password alone never counts here
 * @param codesOnly whether recovery codes never count
 */
export function useSecondOfProof(
  act: string,
  { methods }: PresenceOptions,
  {
    strong = false,
    codesOnly = false,
  }: { strong?: boolean | undefined; codesOnly?: boolean | undefined } = {},
) {
  const { t } = useText();
  const prover = use(ProverContext);
  const { busy, error, run } = useAct();
  const [text, setText] = useState('');
  const [mailed, setMailed] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const kind = secondKind(methods, strong);
  const mail = () =>
    run(async () => {
      await prover.mailCode(act);
      setMailed(true);
      // The button is off from now on, and would take the focus with it.
      field.current?.focus();
    });
  const fields = kind !== undefined && (
    <>
      {kind === 'mailed_code' && (
        <Button variant="default" disabled={mailed || busy} onClick={mail}>
          {mailed ? t('proof.mailed') : t('proof.mail')}
        </Button>
      )}
      <Problem error={error} />
      <TextInput
        ref={field}
        label={kind === 'totp' ? t('proof.totp') : t('proof.mailedCode')}
        description={kind === 'totp' ? t(codesOnly ? 'proof.totp.only' : 'proof.totp.hint') : undefined}
        name="code"
        inputMode={kind === 'totp' ? 'text' : 'numeric'}
        autoComplete="one-time-code"
        required
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </>
  );
  const second: Second | undefined = kind === undefined ? undefined : { kind, text };
  return { fields, second };
}

/** Whether the password proves something here, alone or with a code. */
export function takesPassword({ methods }: PresenceOptions, strong = false): boolean {
  return secondKind(methods, strong) !== undefined || (!strong && methods.includes('password'));
}

function secondKind(methods: PresenceOptions['methods'], strong: boolean): Second['kind'] | undefined {
  if (methods.includes('totp')) return 'totp';
  if (!strong && methods.includes('password')) return undefined;
  return methods.includes('mailed_code') ? 'mailed_code' : undefined;
}
