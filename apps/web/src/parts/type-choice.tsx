import { Stack } from '@mantine/core';
import type { FieldTypes } from '../platform/fields.ts';
import { useInsideText } from '../text/inside/index.tsx';
import { Group } from '../ui/group.tsx';
import { IconTile } from '../ui/icon.tsx';
import { List, RowButton } from '../ui/list.tsx';
import { GROUPS, kindOf } from './field-icon.ts';
import { useFieldLabel } from './field-label.ts';

/** Kinds of numbers that programs tell apart, and people do not. */
const FOR_PROGRAMS: ReadonlySet<string> = new Set(['integer', 'decimal', 'float']);

/** What a field is, by picture and example. A choice needs options, which types of a company's own have. */
export function TypeChoice({ types, choose }: { types: FieldTypes; choose: (type: string) => void }) {
  const { t } = useInsideText();
  const labelOf = useFieldLabel();
  const { rows, resolved } = types;
  const offered = rows.filter(
    ({ type }) => resolved.get(type)?.options?.length !== 0 && !FOR_PROGRAMS.has(type),
  );
  const groups = Map.groupBy(offered, ({ type }) => kindOf(type, types).group);
  return (
    <Stack>
      {GROUPS.map((group) => {
        const members = groups.get(group) ?? [];
        if (members.length === 0) return null;
        return (
          <Group key={group} title={t(`fields.group.${group}`)}>
            <List>
              {members.map(({ type }) => {
                const { icon, example } = kindOf(type, types);
                return (
                  <RowButton
                    key={type}
                    onClick={() => choose(type)}
                    leading={<IconTile icon={icon} tone="accent" />}
                    title={labelOf(type, types)}
                    {...(example !== undefined && { detail: example })}
                  />
                );
              })}
            </List>
          </Group>
        );
      })}
    </Stack>
  );
}
