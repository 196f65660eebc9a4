import {
  IconCheck,
  IconCircleCheck,
  IconFileText,
  IconFileX,
  IconLink,
  IconMessage,
  IconRoute,
  IconRouteOff,
  IconSignature,
} from '@tabler/icons-react';
import type { Happened } from '../platform/lately.ts';
import type { Icon } from '../ui/icon.tsx';

/** The picture of what happened. */
export const HAPPENED: Readonly<Record<Happened['kind'], Icon>> = {
  connected: IconLink,
  message: IconMessage,
  document: IconFileText,
  signed: IconSignature,
  accepted: IconCheck,
  ending: IconFileX,
  ended: IconFileX,
  flow: IconRoute,
  completed: IconCircleCheck,
  cancelled: IconRouteOff,
};
