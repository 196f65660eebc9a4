/** Whether the page at the path is for people: those of companies and of operators have a sign-in of their own, and ask for no person. */
export const isForPeople = (path: string): boolean => !/^\/(?:portal|operator)(?:\/|$)/.test(path);
