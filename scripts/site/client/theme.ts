/* Before anything is drawn, so that no page flashes in the wrong colours. */
import { settings } from '../../../apps/web/src/text/settings.ts';

const kept = settings.read('symbolon-theme');
if (kept !== undefined) document.documentElement.dataset.theme = kept;
