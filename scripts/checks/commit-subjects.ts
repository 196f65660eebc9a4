import { ownSubjects } from './project-files.ts';

const MOST = 60;

/** @returns a line for each commit of this branch whose first line is longer than a list of commits shows */
export function commitSubjects(root: string): string[] {
  return longSubjects(ownSubjects(root));
}

export const longSubjects = (subjects: readonly string[]): string[] =>
  subjects
    .filter((subject) => subject.length > MOST)
    .map(
      (subject) => `the commit "${subject}" begins with more than ${MOST} characters: tell the reason below`,
    );
