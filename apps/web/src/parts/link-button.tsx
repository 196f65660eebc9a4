import { Button } from '@mantine/core';
import { createLink } from '@tanstack/react-router';

/** A page that the person is led to, as a button. */
export const LinkButton = createLink(Button<'a'>);
