import { ActionIcon, Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { CopyButton, useCopy } from '../../parts/copy-button.tsx';
import { useFieldLabel } from '../../parts/field-label.ts';
import { useShownField } from '../../parts/shown-field.ts';
import { type Fields, isFileType, type OpenField } from '../../platform/fields.ts';
import { membersOf } from '../../platform/members.ts';
import { isMasked, masked } from '../../platform/shown-value.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Facts } from '../../ui/facts.tsx';

/** What a field holds, to read and to copy: whole, and each of its members. A secret is shown when it is asked for. */
export function Value({ field, fields }: { field: OpenField; fields: Fields }) {
  const { t, language } = useInsideText();
  const labelOf = useFieldLabel();
  const shown = useShownField(fields);
  const [isOpen, setOpen] = useState(false);
  const { label, text } = field;
  const type = fields.types.resolved.get(field.type);
  const hasText = text !== null && !isFileType(fields.types, field.type);
  const members = hasText ? membersOf(text, type, language) : [];
  const isSecret = hasText && (isMasked(type) || members.some((member) => member.isSecret));
  const named = members.map((member) => ({ ...member, label: labelOf.member(member.key) }));
  // An address is read as one; of the others each member says what it is.
  const lines =
    named.length === 0 || type?.lineage.includes('address')
      ? shown(field, true)
      : named.map((member) => `${member.label}: ${member.text}`).join('\n');
  return (
    <>
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        <bdi>{shown(field, isOpen && named.length === 0)}</bdi>
      </Text>
      {named.length > 0 && (
        <Facts
          facts={named.map((member) => [
            member.label,
            <Group key={member.key} component="span" wrap="nowrap" gap="xs" justify="space-between">
              <bdi>{member.isSecret && !isOpen ? masked(member.text) : member.text}</bdi>
              <CopyMember value={member.text} label={t('fields.copy.member', { label: member.label })} />
            </Group>,
          ])}
        />
      )}
      {hasText && (
        <Group grow>
          {isSecret && (
            <Button variant="default" onClick={() => setOpen(!isOpen)}>
              {t(isOpen ? 'fields.hide' : 'fields.show', { label })}
            </Button>
          )}
          <CopyButton value={lines} label={t('fields.copy')} />
        </Group>
      )}
    </>
  );
}

function CopyMember({ value, label }: { value: string; label: string }) {
  const { t } = useInsideText();
  const { copied, acts } = useCopy(value);
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <ActionIcon variant="subtle" size={44} my={-8} aria-label={label} {...acts}>
      <Icon size={18} aria-hidden="true" />
      <VisuallyHidden component="span" aria-live="polite">
        {copied && t('app.copied')}
      </VisuallyHidden>
    </ActionIcon>
  );
}
