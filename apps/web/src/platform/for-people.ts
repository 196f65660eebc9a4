const OF_STAFF = /^\/(portal|operator)(?:\/|$)/;

/** Whose page stands at a path. Those of companies and of operators have a sign-in of their own, and ask for no person. */
export const areaOf = (path: string): 'people' | 'portal' | 'operator' =>
  (OF_STAFF.exec(path)?.[1] as 'portal' | 'operator' | undefined) ?? 'people';

/** Whether the page at the path is for people. */
export const isForPeople = (path: string): boolean => areaOf(path) === 'people';
