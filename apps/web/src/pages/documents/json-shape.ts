/** What a JSON value looks like as tables and lists. */
export type Shape =
  | { kind: 'none' }
  | { kind: 'yes' }
  | { kind: 'no' }
  | { kind: 'text'; text: string }
  | { kind: 'members'; members: { name: string; value: Shape }[] }
  | { kind: 'rows'; columns: string[]; rows: Shape[][] }
  | { kind: 'list'; items: Shape[] };

/** Tables in tables are read no further than this; what is below stands as JSON. */
const DEPTH_MOST = 6;
/** Wider tables are lists. */
const COLUMNS_MOST = 6;

export function shapeOf(value: unknown, depth = 0): Shape {
  if (value === null || value === undefined || value === '') return { kind: 'none' };
  if (typeof value === 'boolean') return { kind: value ? 'yes' : 'no' };
  if (typeof value !== 'object') return { kind: 'text', text: String(value) };
  if (depth === DEPTH_MOST) return { kind: 'text', text: JSON.stringify(value) };
  if (Array.isArray(value)) return listOf(value, depth);
  const members = Object.entries(value).map(([name, each]) => ({ name, value: shapeOf(each, depth + 1) }));
  return members.length === 0 ? { kind: 'none' } : { kind: 'members', members };
}

function listOf(values: readonly unknown[], depth: number): Shape {
  if (values.length === 0) return { kind: 'none' };
  const columns = [...new Set(values.flatMap((value) => (isFlat(value) ? Object.keys(value) : [])))];
  if (values.every(isFlat) && columns.length > 0 && columns.length <= COLUMNS_MOST) {
    const rows = values.map((value) =>
      columns.map((column) => shapeOf(Object.hasOwn(value, column) ? value[column] : null, DEPTH_MOST)),
    );
    return { kind: 'rows', columns, rows };
  }
  return { kind: 'list', items: values.map((value) => shapeOf(value, depth + 1)) };
}

/** An object without others in it: a row of a table. */
function isFlat(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((each) => typeof each !== 'object' || each === null);
}
