/** A part of what this browser keeps for the pages. */
export interface Settings {
  read(name: string): string | undefined;
  keep(name: string, value: string): void;
  drop(name: string): void;
  /** Drops everything whose name begins so. */
  dropAll(start: string): void;
}

/** Until they are cleared, for all tabs. */
export const settings: Settings = settingsIn(() => localStorage);
/** As long as this tab is open. */
export const tabSettings: Settings = settingsIn(() => sessionStorage);

/** A browser that refuses site data throws at the mere look: nothing is found there, nothing kept, and the page goes on. */
function settingsIn(place: () => Storage): Settings {
  const tried = <T>(act: () => T): T | undefined => {
    try {
      return act();
    } catch {
      return undefined;
    }
  };
  return {
    read: (name) => tried(() => place().getItem(name)) ?? undefined,
    keep: (name, value) => tried(() => place().setItem(name, value)),
    drop: (name) => tried(() => place().removeItem(name)),
    dropAll: (start) =>
      tried(() => {
        for (const name of Object.keys(place())) if (name.startsWith(start)) place().removeItem(name);
      }),
  };
}

/** Whether this browser keeps data of sites at all. Without it there is no session either. */
export function keepsSiteData(): boolean {
  try {
    return navigator.cookieEnabled && localStorage !== null;
  } catch {
    return false;
  }
}
