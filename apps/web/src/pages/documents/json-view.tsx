import { Text } from '@mantine/core';
import { useInsideText } from '../../text/inside/index.tsx';
import { type Shape, shapeOf } from './json-shape.ts';
import classes from './json-view.module.css';

/** A JSON document as tables that people read. */
export function JsonView({ value }: { value: unknown }) {
  return <Value shape={shapeOf(value)} />;
}

function Value({ shape }: { shape: Shape }) {
  const { t } = useInsideText();
  switch (shape.kind) {
    case 'none':
      return (
        <Text component="span" c="dimmed">
          {t('documents.json.none')}
        </Text>
      );
    case 'yes':
      return t('documents.json.yes');
    case 'no':
      return t('documents.json.no');
    case 'text':
      return <span className={classes.value}>{shape.text}</span>;
    case 'members':
      return (
        <table className={classes.table}>
          <tbody>
            {shape.members.map(({ name, value }) => (
              <tr key={name}>
                <th scope="row">{labelOf(name)}</th>
                <td>
                  <Value shape={value} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      );
    case 'rows':
      return (
        <table className={classes.table}>
          <thead>
            <tr>
              {shape.columns.map((column) => (
                <th key={column} scope="col">
                  {labelOf(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shape.rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a document never change places
              <tr key={index}>
                {row.map((value, column) => (
                  <td key={shape.columns[column]}>
                    <Value shape={value} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      );
    case 'list':
      return (
        <ul className={classes.list}>
          {shape.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <li key={index}>
              <Value shape={item} />
            </li>
          ))}
        </ul>
      );
  }
}

/** `monthly_rent` and `monthlyRent` as people write it. */
function labelOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .trim();
  return words === '' ? name : words[0]?.toUpperCase() + words.slice(1);
}
