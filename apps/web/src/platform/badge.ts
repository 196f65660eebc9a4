/** Shows how many things wait at the icon of the installed app, where the device can. */
export function showBadge(number: number): void {
  // Refused where the app is not installed: there is no icon then.
  const refused = () => undefined;
  if (number > 0) navigator.setAppBadge?.(number).catch(refused);
  else navigator.clearAppBadge?.().catch(refused);
}
