import { PasswordInput } from '@mantine/core';
import { limits } from '@symbolon/protocol/constants';
import { usePortalText } from '../../../text/portal/index.tsx';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly required?: boolean;
}

/** The secret by which a plugin knows the platform. */
export function TokenInput({ change, ...input }: Props) {
  const { t } = usePortalText();
  return (
    <PasswordInput
      {...input}
      description={t('plugins.token.hint')}
      // No password of the login, so that browsers neither fill it in nor keep it.
      autoComplete="off"
      maxLength={limits.pluginTokenMost}
      onChange={(event) => change(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': t('plugins.token.show') }}
    />
  );
}
