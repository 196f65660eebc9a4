import { PasswordInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Credential } from '../../../platform/portal/webhook-settings.ts';
import { usePortalText } from '../../../text/portal/index.tsx';

/** Names and no passwords: they may be read on a screen. */
const NAMES: ReadonlySet<Credential> = new Set(['auth_username', 'auth_header_name']);

/** A secret of a webhook. What the platform has is shown by its end, and stays when nothing is typed. */
export function CredentialInput({
  member,
  kept,
  value,
  change,
  error,
}: {
  member: Credential;
  /** The end of the one that the platform has. */
  kept: string | null;
  value: string;
  change: (text: string) => void;
  error: ReactNode;
}) {
  const { t } = usePortalText();
  const made = member === 'hmac_secret' ? t('webhooks.form.hmac_secret.hint') : undefined;
  const input = {
    label: t(`webhooks.form.${member}`),
    description: kept === null ? made : t('webhooks.form.kept', { masked: kept }),
    required: kept === null && made === undefined,
    maxLength: 4096,
    value,
    onChange: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value),
    error,
  };
  // No password of the login, so that browsers neither fill it in nor keep it.
  if (NAMES.has(member)) return <TextInput {...input} autoComplete="off" />;
  return (
    <PasswordInput
      {...input}
      autoComplete="off"
      visibilityToggleButtonProps={{ 'aria-label': t('webhooks.form.show') }}
    />
  );
}
