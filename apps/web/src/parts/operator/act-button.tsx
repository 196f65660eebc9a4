import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentProps } from 'react';
import { mayAct } from '../../platform/operator/session.ts';

/** Begins an act of the operator. It is off for a token that only reads: the platform would refuse the act. */
export function ActButton({
  disabled = false,
  ...button
}: ButtonProps & Omit<ComponentProps<'button'>, keyof ButtonProps>) {
  return <Button {...button} disabled={disabled || !mayAct()} />;
}
