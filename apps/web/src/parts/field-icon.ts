import {
  IconBuildingBank,
  IconCake,
  IconCalendar,
  IconCamera,
  IconCreditCard,
  IconFileText,
  IconFlag,
  IconGenderBigender,
  IconHash,
  IconHome,
  IconId,
  IconLicense,
  IconLink,
  IconListCheck,
  IconMail,
  IconMapPin,
  IconNumbers,
  IconPhone,
  IconTextSize,
  IconWorld,
} from '@tabler/icons-react';
import type { FieldTypes } from '../platform/fields.ts';
import type { Icon } from '../ui/icon.tsx';

/** Where people look for a field. */
export const GROUPS = ['reach', 'about', 'papers', 'money', 'files', 'other'] as const;
export type FieldGroup = (typeof GROUPS)[number];

/** What is known of a type and those below it: its picture, where it stands, and what such a value looks like. */
const KINDS: Readonly<Record<string, readonly [icon: Icon, group: FieldGroup, example?: string]>> = {
  email: [IconMail, 'reach', 'anna@home.example'],
  phone: [IconPhone, 'reach', '+49 30 901820'],
  address: [IconHome, 'reach', 'Große Elbstraße 212a, Hamburg'],
  url: [IconLink, 'reach', 'https://anna.example'],
  date_of_birth: [IconCake, 'about', '16 July 1991'],
  gender: [IconGenderBigender, 'about'],
  nationality: [IconFlag, 'about'],
  country: [IconWorld, 'about'],
  place_of_birth: [IconMapPin, 'about', 'Hamburg'],
  date: [IconCalendar, 'about', '3 March 2026'],
  personal_number: [IconHash, 'papers', '8001011234'],
  proof_of_identity: [IconId, 'papers'],
  legal_document: [IconLicense, 'papers'],
  creditcard: [IconCreditCard, 'money', '•••• 4242'],
  bank: [IconBuildingBank, 'money', 'DE89 3704 0044 …'],
  photo: [IconCamera, 'files'],
  document: [IconFileText, 'files'],
  number: [IconNumbers, 'other', '54'],
  select: [IconListCheck, 'other'],
  multiselect: [IconListCheck, 'other'],
  text: [IconTextSize, 'other'],
};
const OTHER = [IconTextSize, 'other'] as const;

/** The picture, the group and an example of a type: of its own, or of the nearest type above it. */
export function kindOf(
  type: string,
  { resolved }: Pick<FieldTypes, 'resolved'>,
): { icon: Icon; group: FieldGroup; example: string | undefined } {
  const lineage = resolved.get(type)?.lineage ?? [type];
  const [icon, group, example] =
    [type, ...lineage.toReversed()].map((each) => KINDS[each]).find((kind) => kind !== undefined) ?? OTHER;
  return { icon, group, example };
}
