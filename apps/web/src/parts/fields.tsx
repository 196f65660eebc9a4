import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from '@mantine/core';
import { useText } from '../text/index.tsx';

interface Value {
  readonly value: string;
  readonly change: (value: string) => void;
}

interface PasswordProps extends Value, Pick<PasswordInputProps, 'label' | 'name' | 'error'> {
  /** It is being chosen, so browsers offer one and the page says what makes a good one. */
  readonly isNew?: boolean;
  readonly 'data-autofocus'?: boolean;
}

export function PasswordField({ value, change, isNew = false, ...input }: PasswordProps) {
  const { t } = useText();
  return (
    <PasswordInput
      name="password"
      {...input}
      {...(isNew && { description: t('register.password.hint') })}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      required
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': t('password.show') }}
    />
  );
}

interface EmailProps extends Value, Pick<TextInputProps, 'error'> {
  /** Whether the browser may offer passkeys here. */
  readonly withPasskeys?: boolean;
}

/** The address that a person signs in with. */
export function EmailField({ value, change, withPasskeys = false, ...input }: EmailProps) {
  const { t } = useText();
  return (
    <TextInput
      {...input}
      label={t('email')}
      type="email"
      // As the platform takes them: with a dot in the name of the host.
      pattern="[^@\s]+@[^@\s]+\.[^@\s]+"
      name="email"
      autoComplete={withPasskeys ? 'username webauthn' : 'username'}
      required
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

/** A code of the second factor. */
export function CodeField({ value, change, ...input }: Value & { readonly autoFocus?: boolean }) {
  const { t } = useText();
  return (
    <TextInput
      {...input}
      label={t('proof.totp')}
      description={t('proof.totp.hint')}
      name="code"
      autoComplete="one-time-code"
      required
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
