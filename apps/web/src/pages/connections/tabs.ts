/** The parts of a company's page, in their order. */
export const TABS = ['shared', 'messages', 'documents', 'activity'] as const;
export type TabName = (typeof TABS)[number];

export const tabOf = (name: unknown): TabName | undefined => TABS.find((each) => each === name);
