import { Button, SegmentedControl, Stack } from '@mantine/core';
import { IconHome, IconLock, IconMail, IconPhone } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Frame } from '../../parts/frame.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Bars } from '../../ui/bars.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Group } from '../../ui/group.tsx';
import { IconTile } from '../../ui/icon.tsx';
import { List, Row, RowButton } from '../../ui/list.tsx';
import { Note } from '../../ui/note.tsx';
import { Page } from '../../ui/page.tsx';
import { Search } from '../../ui/search.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Status } from '../../ui/status.tsx';
import { Timeline } from '../../ui/timeline.tsx';
import type { Tone } from '../../ui/tone.ts';

const TONES: readonly Tone[] = ['neutral', 'accent', 'good', 'warn', 'bad'];
const LONG = 'Rechtsschutzversicherungsgesellschaften und Große Elbstraße 212a, Hamburg';

/**
 * Each part of the folder `ui`, for those who build pages; in development alone. Language and appearance stand at the foot as everywhere,
 * direction and size of the text above.
 */
export function UiPage() {
  const [look, setLook] = useState('ltr');
  useEffect(() => {
    const { documentElement: root } = document;
    root.dir = look === 'rtl' ? 'rtl' : 'ltr';
    root.style.fontSize = look === 'large' ? '200%' : '';
    return () => {
      root.dir = 'ltr';
      root.style.fontSize = '';
    };
  }, [look]);
  return (
    <Frame wide>
      <Page title="Parts of the pages" lead="What pages are made of, as people see it.">
        <SegmentedControl
          value={look}
          onChange={setLook}
          data={[
            { value: 'ltr', label: 'Left to right' },
            { value: 'rtl', label: 'Right to left' },
            { value: 'large', label: 'Text at 200 %' },
          ]}
        />
        <Rows />
        <Sheets />
        <Group title="Timeline">
          <Timeline
            label="Timeline"
            happenings={TONES.map((tone) => ({
              key: tone,
              icon: IconMail,
              tone,
              title: `Something ${tone} happened`,
              when: '2 hours ago',
              detail: LONG,
            }))}
          />
        </Group>
        <Group title="Bars">
          <Bars
            label="Values of each tone"
            bars={[...TONES, ...TONES, ...TONES].map((tone, place) => ({
              key: String(place),
              value: (place * 7) % 11,
              tone,
              title: `${tone}: ${(place * 7) % 11}`,
            }))}
          />
        </Group>
        <Group title="Notes">
          <Note icon={IconLock}>{LONG}</Note>
          {TONES.map((tone) => (
            <Note key={tone} icon={IconLock} tone={tone}>
              {LONG}
            </Note>
          ))}
        </Group>
        <Group title="Nothing there">
          <Empty title="You keep nothing yet" act={<Button>Add the first</Button>}>
            What will be here, and the one step to get there.
          </Empty>
        </Group>
      </Page>
    </Frame>
  );
}

function Rows() {
  const [query, setQuery] = useState('');
  const row = (leading: ReactNode, title: string, trailing?: ReactNode) => ({
    leading,
    title,
    detail: LONG,
    trailing,
  });
  return (
    <Group title="Rows">
      <Search label="Find a row" value={query} change={setQuery} />
      <List label="Rows">
        <Row {...row(<Avatar name="Bike Club" />, 'Bike Club', <Status tone="accent">2 new</Status>)} />
        <Row {...row(<Avatar name="Anna Berg" letters={2} />, 'Anna Berg')} />
        <RowButton {...row(<IconTile icon={IconPhone} />, '+49 30 901820')} onClick={() => undefined} />
        {TONES.map((tone) => (
          <Row
            key={tone}
            {...row(<IconTile icon={IconHome} tone={tone} />, LONG, <Status tone={tone}>{tone}</Status>)}
          />
        ))}
      </List>
    </Group>
  );
}

/** One over the other, as an approval comes over an act. */
function Sheets() {
  const [open, setOpen] = useState(0);
  return (
    <Group title="Sheets">
      <Button onClick={() => setOpen(1)}>Open a sheet</Button>
      {[1, 2].map((level) => (
        <Sheet
          key={level}
          opened={open >= level}
          close={() => setOpen(level - 1)}
          closeLabel="Close"
          picture={<Avatar name="Acme" size={56} />}
          title={level === 1 ? 'One question' : 'Another one over it'}
        >
          <Stack>
            <Note icon={IconLock}>{LONG}</Note>
            <Button onClick={() => setOpen(level === 1 ? 2 : 0)}>Go on</Button>
            <Button variant="default" onClick={() => setOpen(level - 1)}>
              Not now
            </Button>
          </Stack>
        </Sheet>
      ))}
    </Group>
  );
}
