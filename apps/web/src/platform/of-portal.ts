/** Whether the page at the path is for companies: no person is asked for there. */
export const isOfPortal = (path: string): boolean => path === '/portal' || path.startsWith('/portal/');
