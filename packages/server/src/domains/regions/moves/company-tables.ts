import { dependentsOf, type MoveRules, type Table, type TableName } from '../../../db/table-registry.ts';

/** A table with rows of companies, and how its rows move to another region. */
export interface CompanyTable
  extends Required<Omit<MoveRules<string>, 'feed'>>,
    Pick<MoveRules<string>, 'feed'> {
  readonly name: TableName;
  /** The primary key without the company: unique among the rows of one company. */
  readonly key: readonly string[];
  /** The column that names the company. */
  readonly owner: string;
  /** The columns with keyed hashes. */
  readonly hashed: readonly string[];
}

const DEFAULTS = { notCompared: [], emptied: [], page: 500, bulk: false, frozen: true } as const;

/** The tables whose rows move with their company. */
export function movingTables(tables: readonly Table[]): readonly CompanyTable[] {
  return dependentsOf(tables, 'companies').flatMap(({ table, column: owner }) => {
    const { name, key, move, hashed = [] } = table;
    if (move === undefined || move === 'stays') return [];
    const rest = key.filter((column) => column !== owner);
    return [{ ...DEFAULTS, ...move, name, owner, hashed, key: rest.length === 0 ? key : rest }];
  });
}

/**
 * SQL for the registration id of a slot that moved away from the home of its person. It follows from the ids of the slot, so
 * both regions make the same one, and it is as long as an id may be.
 */
export const movedRegistration = (connection: string, requestField: string) =>
  `replace(${connection}, '-', '') || replace(${requestField}, '-', '')`;
